"""What a rule of a user's is made of: a libcst visitor that reports nodes."""

from __future__ import annotations

from dataclasses import dataclass

import libcst as cst
from libcst import BatchableCSTVisitor

from jaxlint.vocabulary.findings import Certainty, Reason

Replacement = cst.CSTNode | cst.RemovalSentinel | cst.FlattenSentinel[cst.CSTNode]
"""What a fix puts in the place of a node: another node, nothing, or several."""


@dataclass(frozen=True, slots=True)
class Reported:
    """A node that a rule has reported, and all that it said of it."""

    node: cst.CSTNode
    message: str
    help: str | None
    since: Reason
    certainty: Certainty | None
    replacement: Replacement | None
    is_safe: bool
    fix: str


class Rule(BatchableCSTVisitor):
    """A rule as a libcst visitor: its methods `visit_Call`, `leave_If` and so on look at nodes and `report` them.

    There is a new object for every file.  `METADATA_DEPENDENCIES` may name any provider of libcst that needs no
    repository, and those of `jaxlint.cst`.  All rules walk the tree together: what a `visit_…` method returns is not
    looked at.  ``path`` is the absolute path of the file.
    """

    def __init__(self) -> None:
        super().__init__()
        self.path = ""
        self.reported: list[Reported] = []

    def report(
        self,
        node: cst.CSTNode,
        message: str,
        *,
        help: str | None = None,  # noqa: A002  (a finding has a help)
        since: Reason = (),
        certainty: Certainty | None = None,
        replacement: Replacement | None = None,
        is_safe: bool = False,
        fix: str = "",
    ) -> None:
        """Reports a node.

        ``message`` says what happens, ``help`` what to do, ``since`` why, as `Tracing.since` has it.  ``certainty``
        lowers what the card says.  ``replacement`` is what `--fix` puts in the node's place, if that ``is_safe``, or
        else with `--unsafe-fixes`; ``fix`` says what it does.
        """
        self.reported.append(Reported(node, message, help, since, certainty, replacement, is_safe, fix))
