// The playground's page: the text on one side, what is found on the other, and a worker that is asked after each edit.
import { Analysis } from "./analysis.js";
import { Editor } from "./editor.js";
import { element, findingsList, withPlaces } from "./findings.js";
import { MAX_TEXT, packed, unpacked } from "./links.js";

const FIRST = `import jax
import jax.numpy as jnp


@jax.jit
def normalise(x, eps):
    print("normalising", x)
    if jnp.max(x) > 1:
        x = x / jnp.max(x)
    return x + eps


def noisy(key, x, steps=3):
    for _ in range(steps):
        x = x + jax.random.normal(key, x.shape)
    return normalise(x, 1e-6)
`;
const AFTER_AN_EDIT = 40;
const AT_REST = 250;

const timers = new Map();
const root = document.querySelector(".playground");
const part = (selector) => root.querySelector(selector);
const [found, here, tip, status, examples] = [".found", ".here", ".tip", ".status", "[name=example]"].map(part);
const options = ["possible", "preview"].map((name) => part(`[name=${name}]`));

const began = performance.now();
let checked = null; // the text that the findings on the page are about
let findings = [];
let canFix = false; // libcst is there
let isLoading = false; // libcst
let edited = null; // when the text was last changed

const editor = new Editor(part(".editor"), () => {
  edited ??= performance.now();
  root.dataset.state = "edited";
  part("[name=fix-all]").disabled = true;
  hideTip();
  soon("check", check, AFTER_AN_EDIT);
});
const analysis = new Analysis(() => {
  checked = null;
  canFix = isLoading = false;
});

// -- findings --

async function check() {
  const text = editor.text;
  if (text.length > MAX_TEXT) {
    return fail(text, `This text has ${text.length.toLocaleString("en")} characters; the playground takes ${MAX_TEXT.toLocaleString("en")}. The command takes any.`);
  }
  const answer = await ask({ do: "check", text, fixes: canFix });
  if (!answer || editor.text !== text) return;
  if (answer.error) return fail(text, answer.error);
  checked = text;
  findings = answer.findings;
  show(answer);
  measure(answer);
  if (!canFix) loadFixes();
  else later("traced", traced, AT_REST);
}

// The answer to a question; what goes wrong with one is said, that with a check by who asks.
async function ask(question) {
  const [possible, preview] = options.map((option) => option.checked);
  const answer = await analysis.ask({ ...question, possible, preview });
  if (answer?.error && question.do !== "check") say(answer.error, "failed");
  return answer;
}

function fail(text, message) {
  checked = null;
  findings = [];
  edited = null;
  editor.mark(["error", "warning", "info", "traced"], []);
  found.replaceChildren();
  part("[name=fix-all]").disabled = true;
  say(message, "failed");
}

function show(answer) {
  const open = new Set([...found.querySelectorAll("details[open]")].map((one) => one.parentElement.dataset.key));
  const list = findingsList(findings, root.dataset.rules, act);
  [...list.children].forEach((item, index) => {
    item.dataset.key = `${findings[index].code} ${findings[index].message}`;
    if (open.has(item.dataset.key)) item.querySelector("details").open = true;
  });
  found.replaceChildren(list);
  if (!findings.length) found.append(element("p", { className: "nothing", textContent: nothing(answer) }));
  editor.mark(["error", "warning", "info"], findings.map(({ start, end, severity }) => ({ start, end: Math.max(end, start + 1), kind: severity })));
  part("[name=fix-all]").disabled = !answer["can fix"];
}

function nothing(answer) {
  if (!checked.trim()) return "Paste code on the left, or take an example.";
  return answer["concerns jax"] ? "Nothing is found." : "Nothing is found: this code does not import jax.";
}

function measure(answer) {
  const now = performance.now();
  const count = findings.length === 1 ? "1 finding" : `${findings.length} findings`;
  if (!root.dataset.cold) root.dataset.cold = Math.round(now - began);
  const took = edited === null ? "" : `, ${Math.round(now - edited)} ms after the edit`;
  if (edited !== null) root.dataset.edit = Math.round(now - edited);
  edited = null;
  say(`${count}${took}`, "ready");
}

async function loadFixes() {
  if (isLoading) return;
  isLoading = true;
  const answer = await ask({ do: "warm up" });
  if (!answer || answer.error) return;
  canFix = true;
  later("check", check, 0);
}

async function traced() {
  const text = checked;
  if (text === null || text.length > MAX_TEXT / 10) return;
  const answer = await ask({ do: "traced" });
  if (!answer?.spans || text !== checked || text !== editor.text) return;
  editor.mark(["traced"], answer.spans.map(([start, end]) => ({ start, end, kind: "traced" })));
  root.dataset.traced = answer.spans.length;
}

function say(text, state) {
  status.textContent = text;
  root.dataset.state = state;
}

const act = {
  show: (start, end) => editor.show(start, end),
  line: (number) => editor.line(number),
  why: async (line) => (checked === editor.text ? (await ask({ do: "why", line }))?.lines : null),
  apply(edits) {
    if (checked !== editor.text) return;
    let text = checked;
    for (const { start, end, content } of [...edits].sort((a, b) => b.start - a.start || b.end - a.end)) {
      text = text.slice(0, start) + content + text.slice(end);
    }
    editor.write(text);
  },
};

part("[name=fix-all]").addEventListener("click", async () => {
  const text = checked;
  const answer = await ask({ do: "fix all" });
  if (answer?.text === undefined || editor.text !== text) return;
  editor.write(answer.text);
});

for (const option of options) {
  option.addEventListener("change", () => {
    edited = performance.now();
    check();
  });
}

// -- what is known of a name --

async function known(offset) {
  const text = checked;
  if (text === null || text !== editor.text) return null;
  const answer = await ask({ do: "hover", offset });
  return answer?.lines?.length && text === editor.text ? answer : null;
}

document.addEventListener("selectionchange", () => {
  if (document.activeElement === editor.area) later("here", showHere, AT_REST);
});

async function showHere() {
  const told = await known(editor.cursor);
  here.replaceChildren(...(told?.lines ?? []).flatMap((text) => [...withPlaces(text, act), "\n"]));
}

editor.area.addEventListener("mousemove", ({ clientX, clientY }) => {
  if (tip.hidden || !tip.matches(":hover")) later("tip", () => showTip(clientX, clientY), AT_REST);
});
editor.area.addEventListener("mouseleave", () => later("tip", () => { if (!tip.matches(":hover")) hideTip(); }, AT_REST));
tip.addEventListener("mouseleave", hideTip);
part(".scroller").addEventListener("scroll", hideTip);
document.addEventListener("keydown", (event) => { if (event.key === "Escape") hideTip(); });

async function showTip(x, y) {
  const offset = checked === editor.text ? editor.offsetAt(x, y) : null;
  if (offset === null) return hideTip();
  const at = findings.filter((finding) => finding.start <= offset && offset < Math.max(finding.end, finding.start + 1));
  const told = await known(offset);
  if (!at.length && !told) return hideTip();
  tip.replaceChildren(...at.map(({ code, message }) => element("p", {}, element("b", { textContent: code }), ` ${message}`)));
  if (told) tip.append(element("pre", { textContent: told.lines.map((line) => line.replaceAll("code.py:", "line ")).join("\n") }));
  tip.hidden = false;
  const box = tip.getBoundingClientRect();
  tip.style.left = `${Math.max(8, Math.min(x, innerWidth - box.width - 8))}px`;
  tip.style.top = `${y + 18 + box.height < innerHeight ? y + 18 : Math.max(8, y - box.height - 12)}px`;
}

function hideTip() {
  stop("tip");
  tip.hidden = true;
}

// -- links and examples --

part("[name=share]").addEventListener("click", async () => {
  if (editor.text.length > MAX_TEXT) return say("This text is too long for a link.", "failed");
  const extra = options.filter((option) => option.checked).map((option) => `&${option.name}`).join("");
  history.replaceState(null, "", `#code=${await packed(editor.text)}${extra}`);
  try {
    await navigator.clipboard.writeText(location.href);
    say("The link is copied, and is the address of this page now.", root.dataset.state);
  } catch {
    say("The address of this page is the link now.", root.dataset.state);
  }
});

let menu = [];

async function loadExamples() {
  const answer = await fetch(new URL("examples.json", import.meta.url));
  if (!answer.ok) throw new Error(`examples.json: ${answer.status}`);
  for (const { family, examples: some } of await answer.json()) {
    const group = element("optgroup", { label: family });
    for (const one of some) group.append(element("option", { value: one.code, textContent: `${one.code} ${one.name}` }));
    examples.append(group);
    menu = menu.concat(some);
  }
}

examples.addEventListener("change", () => {
  const example = menu.find((one) => one.code === examples.value);
  examples.value = "";
  if (!example) return;
  editor.write(taken(example));
  editor.area.setSelectionRange(0, 0);
});

function taken(example) {
  for (const option of options) option.checked ||= example.needs.includes(option.name);
  return example.text;
}

// The text of the address: `#code=…` of a link, `?rule=JAX101` of a rule's page.
async function openAddress() {
  const asked = new URLSearchParams(location.hash.slice(1));
  if (!asked.has("code")) {
    const example = menu.find((one) => one.code === new URLSearchParams(location.search).get("rule"));
    if (!editor.text) write(example ? taken(example) : FIRST);
    return;
  }
  for (const option of options) option.checked = asked.has(option.name);
  try {
    write(await unpacked(asked.get("code")));
  } catch (error) {
    write("");
    stop("check");
    fail("", error instanceof RangeError ? "The text of this link is too long." : "This link is not whole: there is no text to be had from it.");
  }
}

function write(text) {
  editor.begin(text);
  edited = null;
  later("check", check, 0);
}

// -- time --

// Does something after a while in which it is not asked for again.
function later(name, work, after) {
  stop(name);
  timers.set(name, setTimeout(() => {
    timers.delete(name);
    work();
  }, after));
}

// Does something after a while, however often it is asked for until then.
function soon(name, work, after) {
  if (!timers.has(name)) later(name, work, after);
}

function stop(name) {
  clearTimeout(timers.get(name));
  timers.delete(name);
}

addEventListener("hashchange", openAddress);
addEventListener("unhandledrejection", ({ reason }) => say(`Something went wrong on this page: ${reason?.message ?? reason}.`, "failed"));
await loadExamples().catch(() => {
  examples.disabled = true;
  examples.title = "The examples could not be loaded.";
});
await openAddress();
