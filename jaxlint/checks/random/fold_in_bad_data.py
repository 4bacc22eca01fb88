"""JAX411: what is folded into a key is a number of 32 bits."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, shown_outside_tests
from jaxlint.flow.domain import events


@check("JAX411", events.BadFoldData)
def fold_in_bad_data(event: events.BadFoldData) -> Iterator[Report]:
    then = event.raised or ("the key is another one as well" if "hash" in event.what else "nothing is raised")
    yield Report(
        event.node,
        f"{event.what} is folded into a key: {then}",
        "fold in a whole number from 0 to 2**32 - 1; of a string, `zlib.crc32(name.encode())`",
        certainty=shown_outside_tests(event),
    )
