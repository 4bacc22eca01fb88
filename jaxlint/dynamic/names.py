"""Verdicts on names that JAX took away, announces to take away, or has only got lately: looked up, not traced.

The installed JAX is asked for the name (`lookup.py`).  What it says holds for its version; where the project asks for
another one, that is an assumption of the verdict.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from jaxlint.checks.versions import Reference, check_module
from jaxlint.checks.versions.removed_api import newest_jax
from jaxlint.dynamic.lookup import ABSENT, THERE, WARNS
from jaxlint.flow.source.trees import descendants
from jaxlint.project.program import Module, Program
from jaxlint.semantics.added import Added
from jaxlint.semantics.removed import ARRAY_ATTRIBUTES, Removed, RemovedArgument, happened, version_key
from jaxlint.settings.jax_version import JaxVersions, Version
from jaxlint.vocabulary.findings import Finding, Location, Proof, Verdict

_REMOVED, _DEPRECATED, _TOO_NEW = "JAX801", "JAX802", "JAX804"
CODES = frozenset({_REMOVED, _DEPRECATED, _TOO_NEW})
"""The rules whose claim is about a name alone."""

Question = tuple[str, str, str]
"""What `lookup.answer` is asked: module, name, argument or member; its name; which argument."""

Answer = tuple[str, str]

_ASKED = "it is a JAX array that is asked"
_GIVEN = "what is passed is not None"


@dataclass(frozen=True, slots=True)
class _Claim:
    """What a finding says of JAX: ``since`` when it holds, and ``until`` when, where JAX has the name again; for a name
    that is too new, since when it does not.  ``seen_since``: the first release whose signature tells of it."""

    code: str
    question: Question
    since: str | None
    versions: JaxVersions
    assumed: tuple[str, ...] = ()
    until: str | None = None
    seen_since: str | None = None

    @property
    def name(self) -> str:
        _, name, argument = self.question
        return f"the argument `{argument}` of `{name}`" if argument else f"`{name}`"


def verdicts(
    program: Program, findings: Iterable[Finding], jax: str, ask: Callable[[list[Question]], list[Answer]]
) -> dict[Finding, Verdict]:
    """The verdicts that the installed ``jax`` gives when it is asked for names; ``ask`` asks it.

    Findings of other rules have none, and those about an argument or a name that only shows when it is used.
    One that `is_final` needs no trace; of the others a trace may know more.
    """
    claims = dict(_claims(program, findings))
    questions = list(dict.fromkeys(claim.question for claim in claims.values()))
    answers = dict(zip(questions, ask(questions))) if questions else {}
    judged = {
        finding: _verdict(claim, *answers[claim.question], jax)
        for finding, claim in claims.items()
        if claim.question in answers
    }
    return {finding: verdict for finding, verdict in judged.items() if verdict is not None}


def is_final(verdict: Verdict) -> bool:
    """Whether looking up says all that there is to say: not what kind of object an attribute is asked of."""
    return _ASKED not in verdict.assumptions


def _verdict(claim: _Claim, state: str, text: str, jax: str) -> Verdict | None:
    is_true = state == ABSENT or (state == WARNS and claim.code == _DEPRECATED)
    if is_true:
        says = "warns" if state == WARNS else "has it no longer" if claim.code != _TOO_NEW else "lacks it"
        evidence = (f"{claim.name} was looked up: jax {jax} {says}", text)
        assumed = (*_assumed(claim.versions, jax), *claim.assumed)
        return Verdict(Proof.CONFIRMED_IF if assumed else Proof.CONFIRMED, jax, evidence, assumed)
    installed = version_key(jax)
    if state not in (THERE, WARNS) or (claim.seen_since is not None and not happened(claim.seen_since, installed)):
        return None
    has_it = f"{claim.name} was looked up: jax {jax} has it"
    is_new_enough = happened(claim.since, installed) and not happened(claim.until, installed)
    if claim.code == _TOO_NEW:
        if is_new_enough:
            return Verdict(Proof.NO_CHECK, jax, (f"{has_it}; one before {claim.since} would have to be installed",))
        return Verdict(Proof.REFUTED_FOR, jax, (has_it,))
    if is_new_enough and claim.code == _REMOVED:
        return Verdict(Proof.REFUTED_FOR, jax, (has_it,))
    if not is_new_enough:
        told = (text,) if text else ()
        span = f"{claim.since} and later" if claim.until is None else f"{claim.since} and later, before {claim.until}"
        return Verdict(Proof.NO_CHECK, jax, (f"{has_it}; the finding is about jax {span}", *told))
    return None  # it warns when it is used, if at all


def _assumed(versions: JaxVersions, jax: str) -> tuple[str, ...]:
    """That the program runs with the installed JAX, where it asks for another."""
    installed, low, high = version_key(jax), versions.minimum, versions.maximum
    is_pinned_here = low is not None and low == high and installed[: len(low)] == low
    is_new_enough = low is None or installed >= _padded(low)
    is_old_enough = high is None or installed <= _padded(newest_jax(versions))
    if is_pinned_here or (is_new_enough and is_old_enough):
        return ()
    return (f"it runs with jax {jax}; the project asks for {_asked_for(versions)}",)


def _padded(version: Version) -> Version:
    return (*version, 0, 0, 0)[:3] if len(version) < 3 else version


def _asked_for(versions: JaxVersions) -> str:
    low, high = (".".join(map(str, each or ())) for each in (versions.minimum, versions.maximum))
    if low == high:
        return f"jax {low}"
    if not low:
        return f"jax up to {high}"
    return f"jax {low} to {high}" if high else f"jax {low} or later"


# ------------------------------------------------------------------------------------------ what is asked


def _claims(program: Program, findings: Iterable[Finding]) -> Iterator[tuple[Finding, _Claim]]:
    known: dict[str, dict[tuple[str, Location], _Claim]] = {}
    for finding in findings:
        module = program.at(finding.path) if finding.code in CODES else None
        if module is None:
            continue
        if module.name not in known:
            known[module.name] = dict(_of_module(program, module))
        claim = known[module.name].get((finding.code, finding.location)) or _of_array(program, module, finding)
        if claim is not None:
            yield finding, claim


def _of_module(program: Program, module: Module) -> Iterator[tuple[tuple[str, Location], _Claim]]:
    """The claims of a module by rule and place."""
    versions = program.jax_of(module)
    if module.document.tree is None:
        return
    for reference in check_module(module.document.tree, module.name, lambda _: False, versions):
        place = module.document.location(reference.node)
        yield (reference.code, place), _of_reference(reference, versions)


def _of_reference(reference: Reference, versions: JaxVersions) -> _Claim:
    entry, code = reference.removed, reference.code
    if isinstance(entry, RemovedArgument):
        question = ("argument", entry.function, entry.keyword)
    else:
        question = ("module" if reference.error == "ModuleNotFoundError" else "name", entry.name, "")
    since = entry.since if isinstance(entry, Added) else entry.removed if code == _REMOVED else entry.deprecated
    return _Claim(
        code,
        question,
        since,
        versions,
        (_GIVEN,) if _may_be_none(reference) else (),
        entry.returned if isinstance(entry, Removed) else None,
        entry.at_first[1] if isinstance(entry, RemovedArgument) and entry.at_first else None,
    )


def _may_be_none(reference: Reference) -> bool:
    """Whether the claim is about an argument that None is fine for, and it is not written down what is passed."""
    is_fine = isinstance(reference.removed, RemovedArgument) and reference.removed.none_is_fine
    return is_fine and isinstance(reference.node, ast.keyword) and not isinstance(reference.node.value, ast.Constant)


def _of_array(program: Program, module: Module, finding: Finding) -> _Claim | None:
    """The claim of a finding about an attribute of arrays."""
    entry = next(iter(_attributes(module, finding.location)), None) if finding.code == _REMOVED else None
    if entry is None:
        return None
    return _Claim(_REMOVED, ("member", entry.name, ""), entry.removed, program.jax_of(module), (_ASKED,))


def _attributes(module: Module, place: Location) -> Iterator[Removed]:
    for node in descendants(module.document.tree) if module.document.tree is not None else ():
        if not isinstance(node, (ast.Attribute, ast.Call)) or module.document.location(node) != place:
            continue
        name = node.attr if isinstance(node, ast.Attribute) else getattr(node.func, "attr", "")
        for entry in (ARRAY_ATTRIBUTES.get(name), ARRAY_ATTRIBUTES.get(f"{name}()")):
            if entry is not None:
                yield entry
