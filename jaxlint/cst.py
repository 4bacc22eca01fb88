"""jaxlint for those who work with libcst: metadata providers, findings on nodes, and rules of one's own.

    from jaxlint.cst import Linter, TracingProvider, wrap

    wrapper = wrap("train.py")
    linter = Linter()
    wrapper.visit(linter)
    for node, finding in linter.flagged:
        ...

docs/custom-rules.md tells all of it.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

import libcst as cst
from libcst.metadata import MetadataWrapper

from jaxlint.checks.seen import KeyUse, KeyView, Kind, Under, View
from jaxlint.running.once import own_checks, told_of
from jaxlint.settings.configuration import ConfigurationError
from jaxlint.settings.resolved import Settings
from jaxlint.visitors.knowledge import Answers, Knowledge, Tracing, of_file, of_text
from jaxlint.visitors.providers import AboutProvider, KeyProvider, TracingProvider, Wrapper
from jaxlint.visitors.rule import Rule
from jaxlint.vocabulary.findings import Certainty, Finding, Location, Related

__all__ = [
    "Certainty",
    "ConfigurationError",
    "Finding",
    "FindingProvider",
    "KeyProvider",
    "KeyUse",
    "KeyView",
    "Kind",
    "Linter",
    "Location",
    "Related",
    "Rule",
    "Settings",
    "Tracing",
    "TracingProvider",
    "Under",
    "View",
    "wrap",
]


class _Findings(Answers[tuple[Finding, ...]]):
    """The findings in a module, each at the innermost node that has its place."""

    _found: Mapping[cst.CSTNode, tuple[Finding, ...]] | None = None

    def answer(self, node: cst.CSTNode) -> tuple[Finding, ...]:
        if self._found is None:
            self._found = self._placed()
        return self._found.get(node, ())

    def _placed(self) -> Mapping[cst.CSTNode, tuple[Finding, ...]]:
        known = self.about.knowledge
        found: dict[cst.CSTNode, tuple[Finding, ...]] = {}
        for finding in _told(known):
            place = known.document.virtual(finding.location) or finding.location
            node = self.about.at(place)
            found[node] = (*found.get(node, ()), finding)
        return found


def _told(known: Knowledge) -> list[Finding]:
    """What the command would report of a file."""
    path = known.document.path
    own = own_checks(known.program, [path])
    found = [*known.found, *(own.findings(known.seen) if own is not None else ())]
    return [finding for finding in told_of(known.program, found) if os.path.realpath(finding.path) == path_of(known)]


def path_of(known: Knowledge) -> str:
    """The real path of the file that something is known of."""
    return os.path.realpath(known.document.path)


class FindingProvider(AboutProvider[tuple[Finding, ...]]):
    """For every node of a module the findings that are about it: those that the command reports, with their fixes."""

    ANSWERS = _Findings
    OF_FINDINGS = True


class Linter(cst.CSTVisitor):
    """Collects the findings in a module with the nodes that they are about; subclasses may `flag` them as they come.

    A codemod asks for the findings of a node itself: `self.get_metadata(FindingProvider, original_node)`.
    """

    METADATA_DEPENDENCIES = (FindingProvider,)

    def __init__(self) -> None:
        super().__init__()
        self.flagged: list[tuple[cst.CSTNode, Finding]] = []

    def on_visit(self, node: cst.CSTNode) -> bool:
        for finding in self.get_metadata(FindingProvider, node):
            self.flag(node, finding)
        return super().on_visit(node)

    def flag(self, node: cst.CSTNode, finding: Finding) -> None:
        """Takes note of a finding that is about a node."""
        self.flagged.append((node, finding))


_PROVIDERS = (TracingProvider, KeyProvider, FindingProvider)


def wrap(source: str | os.PathLike[str] | cst.Module, settings: Settings | None = None) -> MetadataWrapper:
    """A module with jaxlint's metadata: of a file among those of its program, or of one that is a program of its own.

    ``source`` is the path of a file, or a module.  Without ``settings`` a file's configuration holds.  Raises OSError,
    libcst's ParserSyntaxError, and ConfigurationError.
    """
    if isinstance(source, cst.Module):
        return Wrapper(source, of_text(source.code, settings), _PROVIDERS, copies=True)
    with open(source, "rb"):  # raises what keeps it from being read
        known = of_file(os.fspath(source), settings=settings)
    module = cst.parse_module(known.document.text)
    return Wrapper(module, known, _PROVIDERS)
