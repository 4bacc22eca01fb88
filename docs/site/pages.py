"""Pages of the site that are made of something else: the rule cards, the list of them, the README.

All functions take Markdown as GitHub shows it and give Markdown as MkDocs reads it.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from itertools import groupby

from jaxlint.vocabulary.rules import Rule, all_rules

SILENT = "No error tells of it."

COLUMNS = ("Code", "Name", "Family", "Certainty", "Fix", "Stability", "Example")

_FENCE = re.compile(r"^```(.*)\n((?:.*\n)*?)```\n", re.MULTILINE)
_FILE = re.compile(r"^# file: (\S+)\n", re.MULTILINE)
_MARK = re.compile(r"  # (JAX\d{3}).*$")
_LEFT_ALONE = re.compile(r"(`+[^`]*`+|\[[^]]*\]\([^)]*\)|^#.*$|^:::.*$)", re.MULTILINE)
_CODE = re.compile(r"(?<![\w/-])JAX\d{3}(?![\w-])")
_LINK = re.compile(r"\[([^]]*)\]\((?!\w+:|#)([^)#\s]+)(#[^)\s]*)?\)")
_DOCUMENT = re.compile(r"`docs/([\w-]+\.md)`")

_TOLD = "{.text .said}"
_SAYS = '<p class="label says">JAX says</p>\n\n'

_WIDE = 76
"""Code with longer lines does not stand beside other code: it would have to be scrolled."""


# -- any page -----------------------------------------------------------------------------------------


def on_site(text: str, path: str, known: Iterable[str]) -> str:
    """A page of the repository with links that lead to pages of the site.

    ``path`` is the page, from the top of the repository; ``known`` are the files of the site by the same measure.  A
    link to a file that is not on the site becomes its text.  Rules that are named without a link get one.
    """
    here, files = posixpath.dirname(path), set(known)

    def linked(match: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join(here, match[2]))
        found = next((name for name in (target, f"{target}/index.md") if name in files), None)
        if found is None:
            return match[1]
        return f"[{match[1]}]({posixpath.relpath(_place(found), posixpath.dirname(_place(path)))}{match[3] or ''})"

    def prose(part: str) -> str:
        part = _LINK.sub(linked, _DOCUMENT.sub(rf"[`docs/\1`]({_up(path)}/\1)", part))
        return _with_rules(part, posixpath.dirname(_place(path)), own=posixpath.basename(path).removesuffix(".md"))

    return "".join(part if is_code else prose(part) for is_code, part in _parts(text))


def _place(path: str) -> str:
    """Where on the site a file of the repository is."""
    return "index.md" if path == "README.md" else path.removeprefix("docs/")


def _up(path: str) -> str:
    """From a file of the repository to its folder `docs`."""
    return posixpath.relpath("docs", posixpath.dirname(path) or ".")


def _parts(text: str) -> Iterator[tuple[bool, str]]:
    """A text cut into prose and fenced blocks: whether it is a block, and all of it."""
    end = 0
    for block in _FENCE.finditer(text):
        yield False, text[end : block.start()]
        yield True, block[0]
        end = block.end()
    yield False, text[end:]


def _with_rules(prose: str, folder: str, own: str) -> str:
    """Prose in which each rule that is named is a link to its page, except in code, titles and links."""

    def linked(match: re.Match[str]) -> str:
        code = match[0]
        if code == own or code not in all_rules():
            return code
        return f"[{code}]({posixpath.relpath(f'rules/{code}.md', folder or '.')})"

    parts = _LEFT_ALONE.split(prose)
    return "".join(part if index % 2 else _CODE.sub(linked, part) for index, part in enumerate(parts))


# -- the page of a rule -------------------------------------------------------------------------------


Said = Sequence[str] | None
"""What JAX said to an example; None where it was not asked."""


def rule_page(rule: Rule, said: Sequence[Said], known: Iterable[str], tried: bool = False) -> str:
    """A rule's page.  ``said`` is what JAX said to each of its bad examples (`jax_says.json`); the playground has one
    of them where it can be ``tried``."""
    title, _, body = on_site(rule.body, f"rules/{rule.code}.md", known).partition("\n")
    return "\n".join(
        [
            "---",
            f"title: {title.removeprefix('# ')}",
            f"description: {_quoted(rule.summary)}",
            "hide: [toc]",
            "search: {boost: 2}",
            "---",
            title,
            "",
            *_facts(rule),
            *([f'<p><a href="../../playground/?rule={rule.code}">Try it in the playground</a></p>\n'] if tried else []),
            *_examples(body, list(said)),
            *_silencing(rule),
        ]
    )


def _facts(rule: Rule) -> Iterator[str]:
    """The front matter, as people read it."""
    facts = {
        "Family": rule.family,
        "Certainty": rule.certainty.label,
        "Severity": rule.severity.value,
        "Fix": rule.fix,
        "Stability": rule.stability,
        "Since": rule.since,
    }
    yield '<dl class="facts">'
    yield from (f"<div><dt>{name}</dt><dd>{escape(value)}</dd></div>" for name, value in facts.items())
    told = escape(rule.dynamic.removeprefix("none; ")) if rule.dynamic != "none" else "tracing cannot judge it"
    yield f"<div><dt>Under <code>--dynamic</code></dt><dd>{told}</dd></div></dl>\n"
    if rule.is_preview:
        yield '!!! note "In preview"'
        yield "    This rule is on with `--preview`, or `preview = true` in the configuration.\n"


def _examples(body: str, said: list[Said]) -> Iterator[str]:
    """The text of a card, what is bad beside what is good, with what JAX says below it."""
    waiting: tuple[str, Said] | None = None
    for is_code, part in _parts(body):
        if not is_code:
            if waiting is not None and part.strip():
                yield _pair([_bad(*waiting)], wide=True)
                waiting = None
            yield part
            continue
        info, code = _info_and_code(part)
        if info == "python bad":
            if waiting is not None:
                yield _pair([_bad(*waiting)], wide=True)
            waiting = (code, said.pop(0) if said else None)
        elif info == "python good":
            bad, waiting = waiting, None
            columns = [_bad(*bad)] if bad is not None else []
            longest = max(map(len, ((bad[0] if bad else "") + code).splitlines()))
            yield _pair([*columns, _column("good", "Good", code)], wide=bad is None or longest > _WIDE)
        else:
            yield f"```{_TOLD if info == 'text' else info}\n{code}```\n"
    if waiting is not None:
        yield _pair([_bad(*waiting)], wide=True)


def _info_and_code(block: str) -> tuple[str, str]:
    match = _FENCE.match(block)
    assert match is not None
    return match[1], match[2]


def _pair(columns: list[str], wide: bool) -> str:
    return f'<div class="pair{" wide" if wide else ""}" markdown>\n\n{"".join(columns)}</div>\n'


def _bad(code: str, said: Said) -> str:
    if said is None:
        below = ""
    elif not said:
        below = f"{SILENT}\n\n"
    else:
        below = f"{_SAYS}```{_TOLD}\n" + "\n".join(said) + "\n```\n\n"
    return _column("bad", "Bad", code, below)


def _column(kind: str, label: str, code: str, below: str = "") -> str:
    blocks = "".join(_block(name, text) for name, text in _files(code))
    return f'<div class="example {kind}" markdown>\n\n<p class="label">{label}</p>\n\n{blocks}{below}</div>\n\n'


def _files(code: str) -> Iterator[tuple[str, str]]:
    """The files of a program with their names; a name is empty where the card has none."""
    first, *more = _FILE.split(code)
    if first.strip():
        yield "", first
    yield from zip(more[::2], more[1::2])


def _block(name: str, code: str) -> str:
    lines = code.strip("\n").splitlines()
    marked = " ".join(str(number) for number, line in enumerate(lines, 1) if _MARK.search(line))
    title = f' title="{name}"' if name else ""
    shown = f' hl_lines="{marked}"' if marked else ""
    return f"```{{.python{title}{shown}}}\n" + "\n".join(lines) + "\n```\n\n"


def _silencing(rule: Rule) -> Iterator[str]:
    yield f"""
## To silence it

At its line, with `# jaxlint: ignore[{rule.name}]` and a reason; in a project, with `ignore = ["{rule.code}"]`.
More in [Configuration](../configuration.md#comments-that-silence).
"""


# -- the list of rules --------------------------------------------------------------------------------


def rules_page(rules: Sequence[Rule]) -> str:
    """All rules as a table that can be searched; the search is a script (`theme/assets/rules.js`)."""
    families = groupby(rules, key=lambda rule: rule.family)
    rows = "\n".join(row for family, members in families for row in (_title(family), *map(_row, members)))
    return f"""---
title: Rules
description: All rules of jaxlint with what they find, how sure that is, and whether it can be fixed.
hide: [toc]
---
# Rules

{len(rules)} rules say where code breaks, lies or crawls under JAX. A row has the line that a rule reports; its page has
the whole example, the same without the defect, what JAX says to it, and what stays silent. Their examples are tests:
jaxlint must report the marked lines and no others, and JAX must misbehave as the page says.

<form class="rule-search" hidden role="search">
<input type="search" name="q" placeholder="key-reused, JAX2, for i in range" aria-label="Search rules">
{_choice("family", "All families", dict.fromkeys(rule.family for rule in rules))}
{_choice("certainty", "Any certainty", ("certain", "likely", "possible"))}
{_choice("fix", "With or without fix", ("safe", "unsafe", "none"))}
{_choice("stability", "Stable or preview", ("stable", "preview"))}
<output></output>
</form>

<table class="rules" data-search-exclude>
<thead><tr>{"".join(f"<th>{name}</th>" for name in COLUMNS)}</tr></thead>
<tbody>
{rows}
</tbody>
</table>

What certainty and severity mean is told in [Limits](../limits.md#how-sure-a-finding-is), fixes in
[Fixes](../fixes.md), and rules in preview in [Accuracy](../accuracy.md#preview).
"""


def _title(family: str) -> str:
    told = f'colspan="{len(COLUMNS)}" scope="rowgroup" id="{family}"'
    return f'<tr class="family"><th {told}>{family.capitalize()}</th></tr>'


def _row(rule: Rule) -> str:
    facts = {
        "family": rule.family,
        "certainty": rule.certainty.label,
        "fix": rule.fix,
        "stability": rule.stability,
    }
    data = " ".join(f'data-{name}="{value}"' for name, value in facts.items())
    cells = "".join(f'<td data-label="{name.capitalize()}">{value}</td>' for name, value in facts.items())
    page = f"{rule.code}/"
    return (
        f'<tr class="rule" {data}><td><a href="{page}"><code>{rule.code}</code></a></td>'
        f'<td><a href="{page}">{rule.name}</a><br><small>{_inline(rule.summary)}</small></td>{cells}'
        f'<td class="line" data-label="Example"><code>{escape(_reported_line(rule))}</code></td></tr>'
    )


def _reported_line(rule: Rule) -> str:
    """The shortest line of the card's first bad example that the rule reports."""
    block = next(code for info, code in map(_info_and_code, _blocks(rule)) if info == "python bad")
    marked = (line for line in block.splitlines() if (mark := _MARK.search(line)) and mark[1] == rule.code)
    return min((_MARK.sub("", line).strip() for line in marked), key=len, default="")


def _blocks(rule: Rule) -> list[str]:
    return [part for is_code, part in _parts(rule.body) if is_code]


def _inline(text: str) -> str:
    """Text with code in it as HTML."""
    parts = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", text).replace("*", "").split("`")
    return "".join(f"<code>{escape(part)}</code>" if index % 2 else escape(part) for index, part in enumerate(parts))


def _choice(name: str, every: str, values: Iterable[str]) -> str:
    options = "".join(f"<option>{value}</option>" for value in values)
    return f'<select name="{name}" aria-label="{name.capitalize()}"><option value="">{every}</option>{options}</select>'


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
