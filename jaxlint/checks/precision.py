"""A program that sets `jax_enable_x64`, or asks for it, knows what becomes of dtypes of 64 bits."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from jaxlint.project.precision import is_told_of_x64, sets_x64
from jaxlint.project.program import Program
from jaxlint.vocabulary.findings import Finding

_OF_32_BITS = frozenset(("JAX309", "JAX315", "JAX410"))


def without_x64(
    findings: Iterable[Finding], program: Program, is_told: Callable[[Program], bool] = is_told_of_x64
) -> Iterator[Finding]:
    """The findings, without those of narrowed dtypes and large numbers if some code of the program, or a file beside
    it (``is_told``), names the setting."""
    concerned: bool | None = None
    for finding in findings:
        if finding.code in _OF_32_BITS:
            if concerned is None:
                concerned = sets_x64(program) or is_told(program)
            if concerned:
                continue
        yield finding
