// A text area with two layers below it: the text in colours, and what is marked in it.  Places are offsets.
const TOKENS = /((?:\b[rbfutRBFUT]{1,2})?(?:"""[^]*?(?:"""|$)|'''[^]*?(?:'''|$)|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?))|(#[^\n]*)|\b(and|as|assert|async|await|break|case|class|continue|def|del|elif|else|except|finally|for|from|global|if|import|in|is|lambda|match|nonlocal|not|or|pass|raise|return|try|while|with|yield|None|True|False)\b|(@[\w.]+)|\b(\d[\w.]*)/g;
const KINDS = ["string", "comment", "keyword", "decorator", "number"];
const MOST_COLOURED = 60_000;
const MOST_LAYERED = 200_000; // a longer text is not analysed: the text area shows it as it is
const MOST_LINES = 500; // that are put in with a way back: it takes the browser long

export class Editor {
  #root; #area; #colours; #marks; #numbers; #scroller; #spans = []; #old = ""; #leaves = false; #lines = 0; #drawing = 0;

  constructor(root, changed) {
    this.#root = root;
    this.#area = root.querySelector("textarea");
    this.#colours = root.querySelector(".colours");
    this.#marks = root.querySelector(".marks");
    this.#numbers = root.querySelector(".numbers");
    this.#scroller = root.querySelector(".scroller");
    this.#area.addEventListener("input", () => {
      this.#drawing ||= requestAnimationFrame(() => this.#follow()); // a paste is an event for each of its lines
      changed();
    });
    this.#area.addEventListener("keydown", (event) => this.#key(event));
    this.#area.addEventListener("blur", () => { this.#leaves = false; });
    this.#draw();
  }

  get area() { return this.#area; }
  // Half a character, which a paste may bring, is one that stands for what cannot be read: of the same length, and Python takes it.
  get text() { return this.#area.value.toWellFormed?.() ?? this.#area.value; }
  get cursor() { return this.#area.selectionStart; }

  // Begins with a text: nothing before it can be brought back.
  begin(text) {
    this.#area.value = text;
    this.#area.dispatchEvent(new Event("input"));
  }

  // Puts another text in place, so that it can be taken back; only what differs is replaced.
  write(text) {
    const old = this.text;
    const before = common(old, text);
    const after = commonEnd(old, text, Math.min(old.length, text.length) - before);
    if (old === text) return;
    this.#area.focus({ preventScroll: true });
    this.#area.setSelectionRange(before, old.length - after);
    const content = text.slice(before, text.length - after);
    const isLong = content.split("\n", MOST_LINES).length === MOST_LINES;
    if (!isLong) document.execCommand(content ? "insertText" : "delete", false, content);
    if (this.text !== text) this.begin(text);
  }

  show(start, end) {
    this.#area.focus({ preventScroll: true });
    this.#area.setSelectionRange(start, end);
    const line = this.#area.value.slice(0, start).split("\n").length - 1;
    const height = parseFloat(getComputedStyle(this.#area).lineHeight);
    const top = line * height, view = this.#scroller;
    if (top < view.scrollTop || top + 2 * height > view.scrollTop + view.clientHeight) view.scrollTop = top - view.clientHeight / 3;
    view.scrollLeft = 0;
    view.scrollIntoView({ block: "nearest" });
  }

  // The start of a line, counted from 1, and its end.
  line(number) {
    const lines = this.text.split("\n");
    const start = lines.slice(0, number - 1).reduce((sum, line) => sum + line.length + 1, 0);
    return [start, start + (lines[number - 1] ?? "").length];
  }

  // Spans that are marked, as {start, end, kind}; those of other kinds stay.
  mark(kinds, spans) {
    if (this.#drawing) this.#follow();
    this.#spans = [...this.#spans.filter((span) => !kinds.includes(span.kind)), ...spans];
    if (this.text.length <= MOST_LAYERED) this.#drawMarks();
  }

  // The offset under a point of the window, or null where there is no text.
  offsetAt(x, y) {
    const range = this.#below(() => {
      if (document.caretPositionFromPoint) {
        const found = document.caretPositionFromPoint(x, y);
        if (!found) return null;
        const made = document.createRange();
        made.setStart(found.offsetNode, found.offset);
        return made;
      }
      return document.caretRangeFromPoint?.(x, y) ?? null;
    });
    if (!range || !this.#colours.contains(range.startContainer)) return null;
    const before = document.createRange();
    before.setStart(this.#colours, 0);
    before.setEnd(range.startContainer, range.startOffset);
    const offset = before.toString().length;
    const [left, right] = [this.#box(offset - 1), this.#box(offset)];
    const inside = (box) => box && x >= box.left && x < box.right && y >= box.top && y < box.bottom;
    return inside(right) ? offset : inside(left) ? offset - 1 : null;
  }

  // The place on the window of one character.
  #box(offset) {
    if (offset < 0 || offset >= this.text.length || this.text[offset] === "\n") return null;
    const walker = document.createTreeWalker(this.#colours, NodeFilter.SHOW_TEXT);
    for (let passed = 0; walker.nextNode(); passed += walker.currentNode.length) {
      if (offset < passed + walker.currentNode.length) {
        const range = document.createRange();
        range.setStart(walker.currentNode, offset - passed);
        range.setEnd(walker.currentNode, offset - passed + 1);
        return range.getBoundingClientRect();
      }
    }
    return null;
  }

  // What a look at the layer of colours says, which lies below the others.
  #below(look) {
    this.#root.classList.add("looking");
    try {
      return look();
    } finally {
      this.#root.classList.remove("looking");
    }
  }

  // The layers show the text as it is.
  #follow() {
    cancelAnimationFrame(this.#drawing);
    this.#drawing = 0;
    this.#move();
    this.#draw();
  }

  // Marks move with the text around an edit until the next result.
  #move() {
    const [old, text] = [this.#old, this.text];
    const before = common(old, text);
    const after = commonEnd(old, text, Math.min(old.length, text.length) - before);
    const by = text.length - old.length;
    this.#spans = this.#spans.flatMap((span) => {
      if (span.end <= before) return [span];
      if (span.start >= old.length - after) return [{ ...span, start: span.start + by, end: span.end + by }];
      return [];
    });
  }

  #draw() {
    const text = this.#old = this.text;
    const isPlain = text.length > MOST_LAYERED;
    this.#root.classList.toggle("plain", isPlain);
    if (isPlain) {
      for (const layer of [this.#colours, this.#marks, this.#numbers]) layer.replaceChildren();
      this.#lines = 0;
      return;
    }
    this.#colours.replaceChildren(...(text.length > MOST_COLOURED ? [text] : coloured(text)), "\n");
    const count = text.split("\n").length;
    if (count !== this.#lines) {
      this.#lines = count;
      this.#numbers.textContent = Array.from({ length: count }, (_, index) => index + 1).join("\n");
    }
    this.#drawMarks();
  }

  #drawMarks() {
    const text = this.text, parts = [];
    const spans = this.#spans.filter((span) => span.start < text.length).sort((a, b) => a.start - b.start || b.end - a.end);
    const edges = [...new Set([0, text.length, ...spans.flatMap((span) => [span.start, Math.min(span.end, text.length)])])].sort((a, b) => a - b);
    let open = [], next = 0;
    for (let index = 0; index + 1 < edges.length; index++) {
      const [start, end] = [edges[index], edges[index + 1]];
      while (next < spans.length && spans[next].start <= start) open.push(spans[next++]);
      open = open.filter((span) => span.end > start);
      const piece = text.slice(start, end);
      if (!open.length) parts.push(piece);
      else {
        const part = document.createElement("span");
        part.className = [...new Set(open.map((span) => span.kind))].join(" ");
        part.textContent = piece;
        parts.push(part);
      }
    }
    this.#marks.replaceChildren(...parts, "\n");
  }

  #key(event) {
    if (event.key === "Escape") this.#leaves = true;
    else if (event.key === "Tab" && !this.#leaves && !event.ctrlKey && !event.altKey && !event.metaKey) this.#tab(event);
    else if (event.key === "Enter" && !event.isComposing && !event.ctrlKey && !event.metaKey) this.#enter(event);
    else if (event.key !== "Shift" && event.key !== "Tab") this.#leaves = false;
  }

  #tab(event) {
    event.preventDefault();
    const { selectionStart: start, selectionEnd: end, value } = this.#area;
    const first = value.lastIndexOf("\n", start - 1) + 1;
    if (!event.shiftKey && start === end) {
      document.execCommand("insertText", false, " ".repeat(4 - ((start - first) % 4)));
      return;
    }
    const last = end > start && value[end - 1] === "\n" ? end - 1 : end;
    const lines = value.slice(first, last).split("\n");
    const moved = lines.map((line) => (event.shiftKey ? line.replace(/^(?: {1,4}|\t)/, "") : line && `    ${line}`));
    if (moved.join() === lines.join()) return;
    this.#area.setSelectionRange(first, last);
    document.execCommand("insertText", false, moved.join("\n"));
    if (start === end) {
      const at = Math.max(first, start + moved[0].length - lines[0].length);
      this.#area.setSelectionRange(at, at);
    } else this.#area.setSelectionRange(first, first + moved.join("\n").length);
  }

  #enter(event) {
    const { selectionStart: start, value } = this.#area;
    const line = value.slice(value.lastIndexOf("\n", start - 1) + 1, start);
    const indent = line.match(/^[ \t]*/)[0] + (/:\s*(?:#.*)?$/.test(line) ? "    " : "");
    if (!indent) return;
    event.preventDefault();
    document.execCommand("insertText", false, `\n${indent}`);
  }
}

function coloured(text) {
  const parts = [];
  let end = 0;
  for (const match of text.matchAll(TOKENS)) {
    if (match.index > end) parts.push(text.slice(end, match.index));
    const part = document.createElement("span");
    part.className = KINDS[match.slice(1).findIndex((group) => group !== undefined)];
    part.textContent = match[0];
    parts.push(part);
    end = match.index + match[0].length;
  }
  parts.push(text.slice(end));
  return parts;
}

function common(one, other) {
  const most = Math.min(one.length, other.length);
  let length = 0;
  while (length < most && one[length] === other[length]) length++;
  return length;
}

function commonEnd(one, other, most) {
  let length = 0;
  while (length < most && one[one.length - 1 - length] === other[other.length - 1 - length]) length++;
  return length;
}
