"use strict";
// Without this script everything is readable; with it one can search, and go through findings with j and k.
const search = document.getElementById("search");
const shown = document.getElementById("shown");
const findings = [...document.querySelectorAll(".finding")];
const traces = [...document.querySelectorAll(".trace")];
const groups = [...document.querySelectorAll(".group")];
const words = new Map([...findings, ...traces].map((item) => [item, item.textContent.toLowerCase()]));

for (const hidden of document.querySelectorAll(".tools, .all")) hidden.hidden = false;

function filter() {
  const wanted = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  for (const group of groups) {
    const name = group.querySelector("h3").textContent.toLowerCase();
    let any = false;
    for (const item of group.querySelectorAll(".finding, .trace")) {
      item.hidden = !wanted.every((word) => words.get(item).includes(word) || name.includes(word));
      any = any || !item.hidden;
    }
    group.hidden = !any;
    if (any && wanted.length && "open" in group) group.open = true;
  }
  const count = (items, noun) => {
    const number = items.filter((item) => !item.hidden).length;
    return `${number} ${noun}${number === 1 ? "" : "s"}`;
  };
  shown.textContent = wanted.length ? `${count(findings, "finding")}, ${count(traces, "trace")}` : "";
}

function step(direction) {
  const visible = findings.filter((item) => !item.hidden);
  if (!visible.length) return;
  const at = visible.indexOf(document.activeElement.closest(".finding"));
  const next = at < 0 ? (direction > 0 ? 0 : visible.length - 1) : at + direction;
  const target = visible[Math.max(0, Math.min(visible.length - 1, next))];
  target.focus({ preventScroll: true });
  target.scrollIntoView({ block: "start" });
}

function reveal() {
  const target = location.hash && document.getElementById(location.hash.slice(1));
  if (!target) return;
  for (let part = target; part; part = part.parentElement) {
    if (part instanceof HTMLDetailsElement) part.open = true;
    if (part.hidden) part.hidden = false;
  }
  target.scrollIntoView({ block: target.matches(".l") ? "center" : "start" });
}

function theme() {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
}

search.addEventListener("input", filter);
document.getElementById("theme").addEventListener("click", theme);
const foldable = [...document.querySelectorAll("details.group"), ...traces];
const unfold = (open) => () => foldable.forEach((item) => (item.open = open && !item.hidden));
document.getElementById("open")?.addEventListener("click", unfold(true));
document.getElementById("close")?.addEventListener("click", unfold(false));
addEventListener("hashchange", reveal);
addEventListener("beforeprint", () => document.querySelectorAll("details.group, .trace").forEach((item) => (item.open = true)));
addEventListener("keydown", (event) => {
  const typing = document.activeElement === search;
  if (event.key === "Escape" && typing) {
    search.value = "";
    filter();
    search.blur();
  } else if (typing || event.ctrlKey || event.metaKey || event.altKey) {
    return;
  } else if (event.key === "/") {
    event.preventDefault();
    search.focus();
  } else if (event.key === "j" || event.key === "k") {
    step(event.key === "j" ? 1 : -1);
  }
});
reveal();
