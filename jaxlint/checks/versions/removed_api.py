"""Finds every use of a removed or deprecated JAX name in one module, and of one that the oldest JAX has not yet."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from jaxlint.checks.versions.scopes import Scope
from jaxlint.checks.versions.uses import ModuleUses, Use
from jaxlint.flow.source.trees import children
from jaxlint.semantics import added
from jaxlint.semantics.added import Added
from jaxlint.semantics.removed import (
    ARGUMENTS,
    IMPORT_ONLY,
    MODULES,
    NAMES,
    NEWEST_VERIFIED,
    Removed,
    RemovedArgument,
    happened,
    is_gone,
    warns,
)
from jaxlint.settings.jax_version import JaxVersions
from jaxlint.vocabulary.findings import Certainty, Finding, Location, Repair, Severity

_Gone = Removed | RemovedArgument
Entry = _Gone | Added
Positioned = ast.expr | ast.stmt | ast.alias | ast.keyword


@dataclass(frozen=True, slots=True)
class Reference:
    """One use of a name of the table.

    ``error`` is what Python raises there once it is gone.  ``guarded``: the code asks first, so it is no finding.
    ``gone``: removed in the newest JAX the program may run with, else deprecated there.  ``tests`` are the conditions
    of the `if` statements around it that have to hold.
    """

    node: Positioned
    removed: Entry
    error: str
    gone: bool
    guarded: bool = False
    definition: str = ""
    tests: tuple[ast.expr, ...] = ()

    @property
    def code(self) -> str:
        return "JAX804" if isinstance(self.removed, Added) else "JAX801" if self.gone else "JAX802"


def _pairs() -> Iterator[tuple[str, str]]:
    for name in (*NAMES, *MODULES):
        parent, _, short = name.rpartition(".")
        yield parent.rpartition(".")[2], short
    for name, arguments in ARGUMENTS.items():
        for argument in arguments:
            yield name.rpartition(".")[2], argument.keyword


_WORD = re.compile(r"[A-Za-z_]\w*")
PARENTS: dict[str, set[str]] = {}
"""The last part of each removed name, and each removed argument, with what comes before it."""
for _parent, _short in _pairs():
    PARENTS.setdefault(_short, set()).add("jnp" if _parent == "numpy" else _parent)


def _parents_of(names: Iterable[str]) -> dict[str, set[str]]:
    parents: dict[str, set[str]] = {}
    for name in names:
        parent, _, short = name.rpartition(".")
        last = parent.rpartition(".")[2]
        parents.setdefault(short, set()).add("jnp" if last == "numpy" else last)
    return parents


ADDED_PARENTS = _parents_of(added.NAMES)
"""The same of the names that newer releases brought."""


def may_mention(text: str, versions: JaxVersions | None = None) -> bool:
    """Whether a module's text has the words of any removed name, or of one that the oldest JAX may lack: most modules
    need no closer look."""
    words = set(_WORD.findall(text))
    if versions is not None and versions.minimum is not None and not words.isdisjoint(ADDED_PARENTS):
        return True
    return any(
        not parents.isdisjoint(words) or "jnp" in parents for short, parents in PARENTS.items() if short in words
    )


def check_module(
    module: ast.Module,
    module_name: str,
    is_project_module: Callable[[str], bool],
    versions: JaxVersions | None = None,
    places: ModuleUses | None = None,
) -> Iterator[Reference]:
    """Every use of a removed or deprecated name in a module, guarded ones included, in the order of the text.

    ``is_project_module`` says whether a dotted name is a module of the program itself: JAX's own code is exempt.
    ``places`` has the module as it was the last time.
    """
    if is_project_module("jax") or module_name.split(".")[0] == "jax":
        return
    newest = newest_jax(versions)
    uses = (places or ModuleUses()).of(module)
    seen = [reference for use in uses for reference in _judge(use, newest)]
    if versions is not None and versions.minimum is not None:
        seen += [reference for use in uses for reference in _too_new(use, versions.minimum)]
    dead = _dead_conditions(seen)
    broken = {
        reference.removed.name
        for reference in seen
        if reference.gone and isinstance(reference.removed, Removed) and reference.error == "ModuleNotFoundError"
    }
    for reference in sorted(seen, key=lambda reference: (reference.node.lineno, reference.node.col_offset)):
        is_told = reference.error == "AttributeError" and _is_below(reference.removed, broken)
        if not is_told and dead.isdisjoint(reference.tests):
            yield reference


def _dead_conditions(references: list[Reference]) -> set[ast.expr]:
    """Conditions that ask for what is gone and has no successor: they raise, and what stands below them goes with
    them."""
    lost = {
        reference.node
        for reference in references
        if reference.gone and not isinstance(reference.removed, Added) and not reference.removed.replacement
    }
    tests = {test for reference in references for test in reference.tests}
    return {test for test in tests if lost and not lost.isdisjoint(_evaluated(test))}


def _evaluated(test: ast.expr) -> Iterator[ast.AST]:
    """The parts of a condition that Python has looked at whenever the condition holds."""
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
        for value in test.values:
            yield from _evaluated(value)
        return
    pending: list[ast.AST] = [test]
    while pending:
        node = pending.pop()
        yield node
        if isinstance(node, ast.BoolOp):
            pending.append(node.values[0])
        elif isinstance(node, ast.IfExp):
            pending.append(node.test)
        elif not isinstance(node, _MAYBE_NEVER):
            pending += children(node)


_MAYBE_NEVER = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def findings(
    references: Iterable[Reference],
    location: Callable[[Positioned], Location],
    versions: JaxVersions | None = None,
    is_abandoned: bool = False,
) -> Iterator[Finding]:
    """The findings of the unguarded references; ``location`` places a node in its file.

    ``is_abandoned``: the file cannot run whatever JAX there is, so that nobody can miss the names.
    """
    for reference in references:
        if reference.guarded:
            continue
        if isinstance(reference.removed, Added):
            yield _of_added(reference, reference.removed, location(reference.node), versions, is_abandoned)
        else:
            yield Finding(
                code=reference.code,
                name="removed-api" if reference.gone else "deprecated-api",
                message=_message(reference, reference.removed),
                location=location(reference.node),
                severity=Severity.ERROR if reference.gone else Severity.WARNING,
                certainty=Certainty.POSSIBLE if is_abandoned else _certainty(reference, versions),
                help=_help(reference.removed),
                definition=reference.definition,
                repair=_repair(
                    reference, reference.removed, location(reference.node), versions.minimum if versions else None
                ),
            )


def _of_added(
    reference: Reference, entry: Added, place: Location, versions: JaxVersions | None, is_abandoned: bool
) -> Finding:
    """That a name is too new.  Another requirement may see to it that nobody gets the oldest JAX."""
    oldest = ".".join(map(str, versions.minimum or ())) if versions is not None else ""
    is_open = is_abandoned or (versions is not None and versions.raised)
    return Finding(
        code="JAX804",
        name="too-new-api",
        message=f"`{entry.name}` is new in JAX {entry.since}, and the project allows {oldest}: {reference.error} there",
        location=place,
        severity=Severity.WARNING,
        certainty=Certainty.POSSIBLE if is_open else Certainty.LIKELY,
        help=f"require `jax>={entry.since}`, or ask for the name first",
        definition=reference.definition,
    )


def _certainty(reference: Reference, versions: JaxVersions | None) -> Certainty:
    """A program that is pinned to a version of JAX that has a name need not be told that later ones may not."""
    is_pinned = versions is not None and versions.is_pinned
    return Certainty.POSSIBLE if is_pinned and not reference.gone else Certainty.CERTAIN


def _repair(reference: Reference, entry: _Gone, place: Location, oldest: tuple[int, ...] | None) -> Repair:
    """What the fixer needs to know; a name was there, by and large, from when its forerunner was deprecated."""
    facts: dict[str, str] = {}
    if isinstance(entry, RemovedArgument):
        facts = {"name": entry.function, "argument": entry.keyword}
    else:
        facts = {"name": entry.name}
        if not isinstance(reference.node, ast.Attribute):
            facts["import"] = "module" if reference.error == "ModuleNotFoundError" else "name"
    since = entry.deprecated or entry.removed
    if oldest is not None and not happened(since, oldest):
        facts["old_jax"] = "yes"
    return Repair("removed_api", place, tuple(sorted(facts.items())))


def newest_jax(versions: JaxVersions | None) -> tuple[int, ...]:
    """The newest JAX that a program's users get; a release number that is excluded (``<0.6``) is made a little less."""
    if versions is None or versions.maximum is None:
        return max(NEWEST_VERIFIED, versions.minimum or NEWEST_VERIFIED) if versions else NEWEST_VERIFIED
    if versions.maximum == versions.minimum:
        return versions.maximum
    # Nothing says whether an upper bound is inclusive; `<` is the usual one, and the reading that claims less.
    padded = versions.maximum + (0,) * (3 - len(versions.maximum))
    last = max(index for index, number in enumerate(padded) if number) if any(padded) else 0
    return (*padded[:last], padded[last] - 1, *(999 for _ in padded[last + 1 :]))


def _judge(use: Use, newest: tuple[int, ...]) -> Iterator[Reference]:
    """What a use comes to: nothing, one reference, or one for each imported name or keyword."""
    for node, entry, error in _entries(use, newest):
        gone = is_gone(entry, newest)
        if gone or warns(entry, newest):
            yield Reference(node, entry, error, gone, use.guarded, use.definition, use.tests)


def _too_new(use: Use, oldest: tuple[int, ...]) -> Iterator[Reference]:
    """The names that a use asks for and the oldest JAX has not yet."""
    for node, name, error in _asked_for(use, oldest):
        parts = name.split(".")
        prefixes = (".".join(parts[: count + 1]) for count in range(1, len(parts)))
        entry = next((added.NAMES[one] for one in prefixes if _is_too_new(one, oldest)), None)
        if entry is not None:
            yield Reference(node, entry, error, False, use.guarded, use.definition, use.tests)


def _is_too_new(name: str, oldest: tuple[int, ...]) -> bool:
    entry = added.NAMES.get(name)
    return entry is not None and not happened(entry.since, oldest)


def _asked_for(use: Use, oldest: tuple[int, ...]) -> Iterator[tuple[Positioned, str, str]]:
    """The dotted names of jax that a use needs, with what is raised where there is no such name."""
    match use.node:
        case ast.Import():
            for alias in use.node.names:
                yield alias, alias.name, "ModuleNotFoundError"
        case ast.ImportFrom():
            module = use.node.module or ""
            if module in added.MODULES and _is_too_new(module, oldest):
                yield use.node, module, "ModuleNotFoundError"
                return
            for alias in use.node.names:
                yield alias, f"{module}.{alias.name}", "ImportError"
        case ast.Attribute():
            name = use.scope.resolve_chain(use.node)
            root: ast.expr = use.node
            while isinstance(root, ast.Attribute):
                root = root.value
            if name is not None and use.scope.resolve_chain(root) not in added.NAMES:
                yield use.node, name, "AttributeError"


def _entries(use: Use, newest: tuple[int, ...]) -> Iterator[tuple[Positioned, _Gone, str]]:
    match use.node:
        case ast.Import():
            for alias in use.node.names:
                if (entry := _module(alias.name)) is not None:
                    yield alias, entry, "ModuleNotFoundError"
        case ast.ImportFrom():
            yield from _imported(use.node, newest)
        case ast.Attribute():
            yield from _attribute(use.node, use.scope, newest)
        case ast.Call():
            yield from _keywords(use.node, use.scope, newest)


def _imported(node: ast.ImportFrom, newest: tuple[int, ...]) -> Iterator[tuple[Positioned, _Gone, str]]:
    """A missing module is one failure; of a module that is there, each missing name is one."""
    module = node.module or ""
    entry = _module(module)
    if entry is not None and is_gone(entry, newest):
        yield node, entry, "ModuleNotFoundError"
        return
    for alias in node.names:
        name = f"{module}.{alias.name}"
        below = NAMES.get(name) or (MODULES.get(name) if name not in IMPORT_ONLY else None) or entry
        if below is not None:
            yield alias, below, "ImportError"


def _attribute(node: ast.Attribute, scope: Scope, newest: tuple[int, ...]) -> Iterator[tuple[Positioned, _Gone, str]]:
    """The shortest part of a chain that the table has: in ``jax.ops.index.at`` that is ``jax.ops.index``.

    Where its successor has not kept the next part, that part is what is told of: ``jax.xla.translations``.
    """
    parts: list[ast.Attribute] = []
    chain: ast.expr = node
    while isinstance(chain, ast.Attribute):
        parts.append(chain)
        chain = chain.value
    root = scope.resolve_chain(chain)
    if root is None or root.split(".")[0] != "jax" or _entry(root) is not None:
        return  # What the root stands for was reported where it was imported.
    name = root
    while parts:
        part = parts.pop()
        name = f"{name}.{part.attr}"
        if (entry := _entry(name)) is not None:
            inner = _entry(f"{entry.replacement}.{parts[-1].attr}") if parts and entry.replacement else None
            if inner is not None and is_gone(inner, newest):
                part, entry = parts[-1], replace(inner, name=f"{name}.{parts[-1].attr}", removed=entry.removed)
            yield part, entry, "AttributeError"
            return


def _keywords(node: ast.Call, scope: Scope, newest: tuple[int, ...]) -> Iterator[tuple[Positioned, _Gone, str]]:
    name = scope.resolve_chain(node.func)
    if name == "functools.partial" and node.args:
        name = scope.resolve_chain(node.args[0])
    gone = {argument.keyword: argument for argument in ARGUMENTS.get(name or "", ())}
    for keyword in node.keywords:
        argument = gone.get(keyword.arg or "")
        if argument is not None and not (argument.none_is_fine and _may_be_none(keyword.value)):
            yield keyword, argument, argument.error(newest)


def _may_be_none(value: ast.expr) -> bool:
    return isinstance(value, ast.Name) or (isinstance(value, ast.Constant) and value.value is None)


def _entry(name: str) -> Removed | None:
    return NAMES.get(name) or (None if name in IMPORT_ONLY else MODULES.get(name))


def _module(name: str) -> Removed | None:
    """The entry of a module or of a package it lies in."""
    while name:
        if name in MODULES:
            return MODULES[name]
        name = name.rpartition(".")[0]
    return None


def _is_below(entry: Entry, modules: set[str]) -> bool:
    return isinstance(entry, Removed) and any(
        entry.name == module or entry.name.startswith(f"{module}.") for module in modules
    )


def _message(reference: Reference, entry: _Gone) -> str:
    """What happens: ``jax.tree_map`` was removed in JAX 0.6.0: AttributeError; use ``jax.tree.map``."""
    if isinstance(entry, RemovedArgument):
        what = f"The argument `{entry.keyword}` of `{entry.function}`"
    else:
        what = f"The module `{entry.name}`" if MODULES.get(entry.name) is entry else f"`{entry.name}`"
    if reference.gone:
        text = f"{what} was removed in JAX {entry.removed}: {reference.error}"
    else:
        since = f" since JAX {entry.deprecated}"
        end = f" and is gone in JAX {entry.removed}" if entry.removed else ""
        text = f"{what} is deprecated{since}{end}"
    return f"{text}; use {_code(entry.replacement)}" if entry.replacement else text


def _help(entry: _Gone) -> str | None:
    return (entry.note or None) if isinstance(entry, Removed) else None


def _code(replacement: str) -> str:
    """A replacement in backquotes when it is an expression, as it is when it is a sentence."""
    return replacement if " " in replacement and "(" not in replacement else f"`{replacement}`"
