"""Somebody who edits a project at random, and whether an open session says of it what a first run would."""

from __future__ import annotations

import ast
import io
import random
import tokenize
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from jaxlint.project.documents import Document
from jaxlint.running.once import Run
from jaxlint.running.session import Session
from jaxlint.settings.configuration import Configuration
from jaxlint.vocabulary.findings import Finding, Location, Reason

SNIPPETS = """x = x + 1
print(x)
key = jax.random.PRNGKey(0)
if x > 0: x = 1
import jax, functools
import jax.numpy as jnp
return x
# a key in a comment
global counter
counter = 3
def inner(y): return float(y)
for i in range(3): x = x * 2
state['a'] = 2
f = jax.jit(lambda z: z if z else 1)
CACHE[0] = x
from first import *""".splitlines()

DECORATORS = ["@jax.jit", "@jax.vmap", "@functools.lru_cache", "@staticmethod"]


def parses(text: str) -> bool:
    return Document("x.py", text).tree is not None


class Editor:
    """Somebody who edits at random: statements, names, tokens, decorators, characters.

    A text that does not parse is repaired next, and now and then one goes back to the start.
    """

    def __init__(self, seed: int, texts: list[str]) -> None:
        self.random = random.Random(seed)
        self.start = texts
        self.texts = list(texts)
        self.parsed = list(texts)

    def edit(self) -> int:
        """Changes one text and returns its number."""
        number = self.random.randrange(len(self.texts))
        text = self.texts[number]
        if not parses(text):
            self.texts[number] = self.parsed[number]
        elif self.random.random() < 0.1:
            self.texts[number] = self.start[number]
        else:
            self.texts[number] = self.random.choice(self._changes)(self, text, ast.parse(text))
        if parses(self.texts[number]):
            self.parsed[number] = self.texts[number]
        return number

    def _character(self, text: str, tree: ast.Module) -> str:
        place = self.random.randrange(len(text) + 1)
        return text[:place] + self.random.choice("()[]:=,. \n#'\"xk") + text[place:]

    def _statement(self, text: str, tree: ast.Module) -> tuple[list[str], int, int, str]:
        statements = [node for node in ast.walk(tree) if isinstance(node, ast.stmt)]
        if not statements:
            return text.split("\n"), 0, 0, ""
        node = self.random.choice(statements)
        first = min([node.lineno, *(part.lineno for part in getattr(node, "decorator_list", []))])
        assert node.end_lineno is not None
        return text.split("\n"), first - 1, node.end_lineno, " " * node.col_offset

    def _delete(self, text: str, tree: ast.Module) -> str:
        lines, first, last, indent = self._statement(text, tree)
        return "\n".join([*lines[:first], *([indent + "pass"] if indent else []), *lines[last:]])

    def _insert(self, text: str, tree: ast.Module) -> str:
        lines, first, _, indent = self._statement(text, tree)
        return "\n".join([*lines[:first], indent + self.random.choice(SNIPPETS), *lines[first:]])

    def _twice(self, text: str, tree: ast.Module) -> str:
        lines, first, last, _ = self._statement(text, tree)
        return "\n".join([*lines[:last], *lines[first:last], *lines[last:]])

    def _rename(self, text: str, tree: ast.Module) -> str:
        names = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
        if not names or not text.isascii():
            return text
        node, other = self.random.choice(names), self.random.choice(names)
        lines = text.split("\n")
        line = lines[node.lineno - 1]
        lines[node.lineno - 1] = line[: node.col_offset] + other.id + line[node.end_col_offset :]
        return "\n".join(lines)

    def _decorate(self, text: str, tree: ast.Module) -> str:
        functions = [node for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.ClassDef))]
        if not functions:
            return text
        node = self.random.choice(functions)
        lines = text.split("\n")
        if node.decorator_list and self.random.random() < 0.5:
            return "\n".join([*lines[: node.decorator_list[0].lineno - 1], *lines[node.lineno - 1 :]])
        above = node.decorator_list[0].lineno if node.decorator_list else node.lineno
        return "\n".join(
            [*lines[: above - 1], " " * node.col_offset + self.random.choice(DECORATORS), *lines[above - 1 :]]
        )

    def _swap(self, text: str, tree: ast.Module) -> str:
        """Two statements of one body change places."""
        found = [getattr(node, "body", None) for node in ast.walk(tree)]
        bodies = [body for body in found if isinstance(body, list) and len(body) > 1]
        if not bodies:
            return text
        body = self.random.choice(bodies)
        at = self.random.randrange(len(body) - 1)
        (first, middle), (start, last) = _lines(body[at]), _lines(body[at + 1])
        lines = text.split("\n")
        swapped = [*lines[start - 1 : last], *lines[middle : start - 1], *lines[first - 1 : middle]]
        return "\n".join([*lines[: first - 1], *swapped, *lines[last:]])

    def _token(self, text: str, tree: ast.Module) -> str:
        """Another token of the same kind takes the place of one."""
        tokens = [token for token in tokenize.generate_tokens(io.StringIO(text).readline) if token.type in _CHANGED]
        if not tokens:
            return text
        token = self.random.choice(tokens)
        other = self.random.choice([each.string for each in tokens if each.type == token.type])
        lines = text.split("\n")
        row, (start, end) = token.start[0] - 1, (token.start[1], token.end[1])
        if token.end[0] == token.start[0] and "\n" not in other:
            lines[row] = lines[row][:start] + other + lines[row][end:]
        return "\n".join(lines)

    _changes = (_character, _delete, _insert, _insert, _twice, _rename, _decorate, _swap, _token)


def _lines(statement: ast.stmt) -> tuple[int, int]:
    """The first and the last line of a statement, with its decorators."""
    decorators = getattr(statement, "decorator_list", [])
    first = min([statement.lineno, *(part.lineno for part in decorators)])
    return first, statement.end_lineno or statement.lineno


_CHANGED = frozenset((tokenize.NAME, tokenize.OP, tokenize.NUMBER, tokenize.STRING))


class Workspace:
    """Files of a project below ``folder``, edited one after the other in a session that stays open."""

    def __init__(self, folder: Path, texts: Mapping[str, str], seed: int) -> None:
        self.folder = folder
        self.paths = [folder / name for name in texts]
        for path, text in zip(self.paths, texts.values()):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        (folder / "jaxlint.toml").write_text('certainty = "possible"\n')
        self.editor = Editor(seed, list(texts.values()))
        self.configuration = Configuration(str(folder))
        self.session = Session(self.configuration)

    def edit(self) -> None:
        number = self.editor.edit()
        self.session.change(str(self.paths[number]), self.editor.texts[number])

    def differing(self) -> list[str]:
        """The findings that only the session has, or only a first run.

        A text that does not parse is shown as such; others are judged by the last one that did.  Places in it are where
        they are in the text as it is now, which a first run knows nothing of.
        """
        found = self.session.all_findings()
        buffers = {str(path): text.encode() for path, text in zip(self.paths, self.editor.parsed)}
        expected = Run.over([str(self.folder)], self.configuration, buffers).findings()
        texts = zip(self.paths, self.editor.texts, self.editor.parsed)
        broken = {str(path) for path, text, parsed in texts if text != parsed}
        differing = []
        for path, text, parsed in zip(self.paths, self.editor.texts, self.editor.parsed):
            ours = found[str(path)]
            if text != parsed:
                differing += [f"instead of JAX001: {each}" for each in ours if each.code != "JAX001"]
                continue
            ours = [_without_places_in(broken, finding) for finding in ours]
            theirs = [_without_places_in(broken, finding) for finding in expected if finding.path == str(path)]
            differing += [f"session: {each}" for each in ours if each not in theirs]
            differing += [f"first run: {each}" for each in theirs if each not in ours]
        return differing

    def reopen(self) -> None:
        """Starts a new session, with the texts as they are."""
        self.session = Session(self.configuration)
        for path, text, parsed in zip(self.paths, self.editor.texts, self.editor.parsed):
            self.session.open(str(path), parsed)
            if text != parsed:
                self.session.change(str(path), text)


def _without_places_in(broken: set[str], finding: Finding) -> Finding:
    """A finding that does not say where in these files the steps are that led to it."""
    if not broken:
        return finding
    related, *others = [_named(broken, reason) for reason in (finding.related, *finding.others)]
    return replace(finding, related=related, others=tuple(others))


def _named(broken: set[str], reason: Reason) -> Reason:
    nowhere = Location("", 1, 1, 1, 1)
    return tuple(replace(step, location=nowhere) if step.location.path in broken else step for step in reason)
