// The list of findings.  All text is put in as text: nothing of it is ever read as HTML.

// `act` has what a finding can do: show(start, end), line(number), why(line) and apply(edits).
export function findingsList(findings, rules, act) {
  const list = element("ol", {});
  for (const finding of findings) list.append(item(finding, rules, act));
  return list;
}

function item(finding, rules, act) {
  const made = element("li", { className: finding.severity });
  const rule = element("a", { textContent: finding.code, href: `${rules}${finding.code}/`, target: "_blank", rel: "noopener" });
  const name = [finding.name, finding.certainty].filter(Boolean).join(", ");
  made.append(element("p", { className: "head" }, rule, ` ${name} · `, place(finding, act)));
  made.append(element("p", { className: "message", textContent: finding.message }));
  if (finding.steps.length) {
    const steps = finding.steps.map((step) => element("li", {}, place(step, act), ` ${step.message}`));
    made.append(element("ul", { className: "steps" }, ...steps));
  }
  if (finding.help) made.append(element("p", { className: "help" }, element("b", { textContent: "help " }), finding.help));
  if (finding.fix) made.append(fix(finding.fix, act));
  made.append(why(finding.line, act));
  return made;
}

function place(spot, act) {
  const button = element("button", { type: "button", className: "place", textContent: `line ${spot.line}` });
  button.addEventListener("click", () => act.show(spot.start, spot.end));
  return button;
}

function fix(told, act) {
  const rows = told.diff.map((line) => element("span", { className: { "+": "added", "-": "removed" }[line[0]] ?? "", textContent: `${line}\n` }));
  const apply = element("button", { type: "button", className: "apply", textContent: "Apply" });
  apply.addEventListener("click", () => act.apply(told.edits));
  const title = told.safe ? told.title : `${told.title} (may change what the program means)`;
  return element("div", { className: "fix" }, element("p", {}, element("b", { textContent: "fix " }), title, " ", apply), element("pre", {}, ...rows));
}

function why(line, act) {
  const made = element("details", { className: "why" }, element("summary", { textContent: `Why: all that is known of line ${line}` }));
  made.addEventListener("toggle", async () => {
    if (!made.open || made.querySelector("pre")) return;
    const told = element("pre", { textContent: "…" });
    made.append(told);
    const lines = await act.why(line);
    if (lines) told.replaceChildren(...lines.flatMap((text) => [...withPlaces(text, act), "\n"]));
    else told.remove();
  });
  return made;
}

// A line of what is known, in which places of the text are buttons.
export function withPlaces(text, act) {
  return text.split(/(\bcode\.py:\d+)/).map((part, index) => {
    if (index % 2 === 0) return part;
    const number = Number(part.split(":")[1]);
    const button = element("button", { type: "button", className: "place", textContent: `line ${number}` });
    button.addEventListener("click", () => act.show(...act.line(number)));
    return button;
  });
}

export function element(name, properties, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}
