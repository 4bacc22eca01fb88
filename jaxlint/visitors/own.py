"""Runs the rules that users have written over the files that are asked for, and makes findings of what they report."""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager

import libcst as cst
from libcst.metadata import MetadataWrapper

from jaxlint.checks.run import on_deep_stack
from jaxlint.checks.seen import Seen
from jaxlint.files.entry_points import lies_in_project
from jaxlint.project.depth import nesting_depth
from jaxlint.project.documents import MAX_LIBCST_DEPTH, Document
from jaxlint.project.program import Program
from jaxlint.settings.configuration import ConfigurationError
from jaxlint.settings.own_rules import OwnRule, installed_rules
from jaxlint.visitors.knowledge import About, Knowledge
from jaxlint.visitors.providers import PROVIDERS, Wrapper, providers_of
from jaxlint.visitors.replacing import Replacer
from jaxlint.visitors.rule import Reported, Rule
from jaxlint.vocabulary.findings import Finding, Location, Repair
from jaxlint.vocabulary.rules import all_rules


class OwnChecks:
    """The rules of the user's that are on in some of the files ``paths`` of a program.

    Raises ConfigurationError where the code of one cannot be loaded.
    """

    def __init__(self, program: Program, paths: Collection[str]) -> None:
        self._program = program
        self._paths = paths
        settings = program.settings
        rules = (*installed_rules(), *settings.rules)
        wanted = [rule for rule in rules if any(settings.enables(rule.code, path) for path in paths)]
        self._rules = [(rule, load(rule)) for rule in wanted]

    @property
    def need_analysis(self) -> bool:
        """Whether any of them asks for what the analysis knows."""
        return any(True for _, kind in self._rules for _ in providers_of(kind))

    def seen(self, cancelled: Callable[[], bool] = lambda: False) -> Seen:
        """What is to be told what expressions are while the program is analysed."""
        return Seen(self._paths, cancelled)

    def findings(self, seen: Seen | None = None) -> list[Finding]:
        """What they report, whatever its certainty; ``seen`` is what the analysis has told, if it was made.

        A rule that breaks off in a file is a finding of its own.
        """
        found: list[Finding] = []
        documents = {path: self._program.at(path) for path in self._paths}
        on_deep_stack(
            lambda: found.extend(
                finding
                for module in documents.values()
                if module is not None
                for finding in self._in_document(module.document, seen or Seen(()))
            )
        )
        return found

    def _in_document(self, document: Document, seen: Seen) -> Iterator[Finding]:
        rules = [(r, k) for r, k in self._rules if self._program.settings.enables(r.code, document.path)]
        if not rules or document.problem is not None or not document.text.strip():
            return
        if nesting_depth(document.text) > MAX_LIBCST_DEPTH:
            yield _left_out(document, "the code is nested too deeply for libcst")
            return
        try:
            module = cst.parse_module(document.text)
            about = Knowledge(self._program, document, seen).about(module)
        except Exception as error:  # whatever libcst does not know of the language, or of text
            yield _left_out(document, f"libcst cannot read it ({_in_short(error)})")
            return
        wrapper = Wrapper(module, about, PROVIDERS)
        replacer = Replacer(document, module)
        for rule, visitor, failure in _visit(wrapper, rules, document.path):
            if failure is not None:
                yield _broke_off(rule, document, failure)
            for reported in visitor.reported:
                finding = _finding(rule, reported, about, replacer)
                if document.is_verbatim(finding.location.line):
                    yield finding


def _visit(
    wrapper: MetadataWrapper, rules: Iterable[tuple[OwnRule, type[Rule]]], path: str
) -> Iterator[tuple[OwnRule, Rule, Exception | None]]:
    """The rules with what they have reported, and with what has ended one that breaks off.

    They walk the tree together; only where one of them breaks off each has to do it alone.
    """
    rules = list(rules)
    try:
        visitors = [(rule, _made(kind, path)) for rule, kind in rules]
        wrapper.visit_batched([visitor for _, visitor in visitors])
        yield from ((rule, visitor, None) for rule, visitor in visitors)
    except Exception:
        for rule, kind in rules:
            visitor = Rule()
            failure: Exception | None = None
            try:
                visitor = _made(kind, path)
                wrapper.visit_batched([visitor])
            except Exception as error:
                failure = error
            yield rule, visitor, failure


def _made(kind: type[Rule], path: str) -> Rule:
    visitor = kind()
    visitor.path = path
    return visitor


def _finding(rule: OwnRule, reported: Reported, about: About, replacer: Replacer) -> Finding:
    card = all_rules().get(rule.code, rule.rule)
    return Finding(
        card.code,
        card.name,
        reported.message,
        about.location(reported.node),
        card.severity,
        card.certainty if reported.certainty is None else min(card.certainty, reported.certainty),
        reported.help,
        reported.since,
        about.definition(reported.node),
        repair=_repair(reported, replacer),
    )


def _repair(reported: Reported, replacer: Replacer) -> Repair | None:
    if reported.replacement is None:
        return None
    edit = replacer.edit(reported.node, reported.replacement)
    if edit is None:
        return None
    facts = {"content": edit.content, "message": reported.fix, "safe": "yes" if reported.is_safe else ""}
    return Repair("replacement", edit.location, tuple(sorted(facts.items())))


def _left_out(document: Document, reason: str) -> Finding:
    place = Location(document.path, 1)
    return _problem(f"rules of your own do not look at this file: {reason}", place, None)


def _broke_off(rule: OwnRule, document: Document, error: Exception) -> Finding:
    message = f"the rule {rule.code} broke off ({_in_short(error)}), findings of it in this file may be missing"
    return _problem(message, Location(document.path, 1), f"this is a defect of {rule.package or rule.file}")


def _problem(message: str, place: Location, advice: str | None) -> Finding:
    rule = all_rules()["JAX004"]
    return Finding("JAX004", rule.name, message, place, rule.severity, rule.certainty, advice)


def _in_short(error: BaseException) -> str:
    lines = f"{type(error).__name__}: {error}".splitlines()
    return lines[0][:120]


# -- loading ----------------------------------------------------------------------------------------

_LOADED: dict[tuple[str, str, str, object], type[Rule]] = {}


def load(rule: OwnRule) -> type[Rule]:
    """The class of a rule, whose module is run for it.  Raises ConfigurationError."""
    state = _state(rule.file)
    key = (rule.module, rule.file, rule.name, state)
    if key not in _LOADED:
        where = rule.package or rule.rule.card
        try:
            with _project_last():
                module = _run_file(rule.file, state) if rule.file else importlib.import_module(rule.module)
            kind = getattr(module, rule.name)
        except (Exception, SystemExit) as error:
            raise ConfigurationError(f"{where}: the rule {rule.code} cannot be loaded: {_in_short(error)}") from None
        if not (isinstance(kind, type) and issubclass(kind, Rule)):
            raise ConfigurationError(f"{where}: {rule.name} is no subclass of jaxlint.cst.Rule")
        if any(provider.OF_FINDINGS for provider in providers_of(kind)):
            raise ConfigurationError(f"{where}: {rule.name} asks for findings: they are made when all rules have run")
        _LOADED[key] = kind
    return _LOADED[key]


def _state(path: str) -> object:
    """What tells two versions of a file apart."""
    if not path:
        return None
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size


def _run_file(path: str, state: object) -> object:
    """The module of a file, which is run under a name of its own."""
    name = f"jaxlint_rule_{abs(hash((path, state)))}"
    within = [os.path.dirname(path)] if os.path.basename(path) == "__init__.py" else None
    spec = importlib.util.spec_from_file_location(name, path, submodule_search_locations=within)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} is no module")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


@contextmanager
def _project_last() -> Iterator[None]:
    """Imports what is installed, and not what a project happens to have under the same name: `python -m` looks into the
    current folder first."""
    saved = list(sys.path)
    here = os.getcwd()
    sys.path.sort(key=lambda folder: lies_in_project(os.path.abspath(folder), here))
    try:
        yield
    finally:
        sys.path[:] = saved
