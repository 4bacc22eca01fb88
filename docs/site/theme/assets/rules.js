// The search above the list of rules: words, and what a rule has to be.  The address keeps both, so that it can be sent.
"use strict";

const form = document.querySelector(".rule-search");

function show() {
  const asked = new FormData(form);
  const words = asked.get("q").toLowerCase().split(/\s+/).filter(Boolean);
  const facts = ["family", "certainty", "fix", "stability"].filter((name) => asked.get(name));
  let count = 0;
  for (const row of document.querySelectorAll("table.rules .rule")) {
    const text = row.textContent.toLowerCase();
    const fits = facts.every((name) => row.dataset[name] === asked.get(name)) && words.every((word) => text.includes(word));
    row.hidden = !fits;
    count += fits;
  }
  for (const title of document.querySelectorAll("table.rules .family")) {
    let row = title.nextElementSibling;
    while (row?.hidden) row = row.nextElementSibling;
    title.hidden = !row?.matches(".rule");
  }
  form.querySelector("output").value = count === 1 ? "1 rule" : `${count} rules`;
}

function remember() {
  const asked = [...new FormData(form)].filter(([, value]) => value);
  const query = new URLSearchParams(asked).toString();
  history.replaceState(null, "", (query ? `?${query}` : location.pathname) + location.hash);
}

if (form) {
  for (const [name, value] of new URLSearchParams(location.search)) {
    if (form.elements[name]) form.elements[name].value = value;
  }
  form.hidden = false;
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", () => { show(); remember(); });
  show();
}
