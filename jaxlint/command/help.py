"""What `--help` shows: the commands as a table, the options in their groups, as wide as the terminal."""

from __future__ import annotations

import argparse
import shutil
from collections.abc import Iterable, Iterator, Mapping

_NARROWEST, _WIDEST = 40, 100
"""Columns: what is narrower is wrapped by the terminal, what is wider is hard to read."""

_OUTSIDE = {"positional arguments": "Arguments", "options": "General"}
"""What argparse calls the arguments that are in no group of ours, and we do."""

Row = tuple[str, str]
"""What one writes, and what it means."""


def command_page(parser: argparse.ArgumentParser) -> str:
    """All about one command."""
    return _page(f"{parser.description}.", [[f"Usage: {parser.usage}"], *_groups(parser)])


def first_page(parser: argparse.ArgumentParser, commands: Mapping[str, str]) -> str:
    """The commands with what they are for, and the options of the one that need not be named: ``parser`` reads them."""
    lines = [
        ["Usage: jaxlint [COMMAND] [OPTIONS] [PATH...]"],
        ["Commands:", *_table(commands.items(), _first_column(commands.items()))],
        list(_wrapped("`jaxlint COMMAND --help` is about one command. Without one it is `check`, with these options:")),
        *_groups(parser),
    ]
    return _page(f"{parser.description}.", lines)


def _page(title: str, paragraphs: Iterable[list[str]]) -> str:
    head = list(_wrapped(title[0].upper() + title[1:]))
    return "\n\n".join("\n".join(lines) for lines in [head, *paragraphs]) + "\n"


def _groups(parser: argparse.ArgumentParser) -> Iterator[list[str]]:
    general, ours = parser._action_groups[1], parser._action_groups[2:]
    groups = [group for group in (parser._action_groups[0], *ours, general) if group._group_actions]
    rows = {_OUTSIDE.get(str(group.title), group.title): list(map(_row, group._group_actions)) for group in groups}
    first = _first_column(row for table in rows.values() for row in table)
    for title, table in rows.items():
        yield [f"{title}:", *_table(table, first)]


def _row(action: argparse.Action) -> Row:
    if not action.option_strings:
        return str(action.metavar or action.dest), str(action.help)
    margin = "" if len(action.option_strings[0]) == 2 else "    "  # below those with a short form
    return margin + ", ".join(action.option_strings) + _value(action), str(action.help)


def _value(action: argparse.Action) -> str:
    if action.nargs == 0 or isinstance(action, argparse.BooleanOptionalAction):
        return ""
    value = str(action.metavar or action.dest.upper())
    return value if value.startswith("=") else f" {value}"


def _first_column(rows: Iterable[Row]) -> int:
    return min(max(len(written) for written, _ in rows) + 4, 34 if _columns() >= 72 else 29)


def _table(rows: Iterable[Row], first: int) -> Iterator[str]:
    """Two columns; what is too long for the first has its meaning below it."""
    for written, meaning in rows:
        start = f"  {written}  ".ljust(first)
        if len(start) > first:
            yield start.rstrip()
            start = " " * first
        yield from _wrapped(meaning, start, " " * first)


def _wrapped(text: str, start: str = "", indent: str = "") -> list[str]:
    import textwrap

    return textwrap.wrap(text, _columns(), initial_indent=start, subsequent_indent=indent, break_on_hyphens=False)


def _columns() -> int:
    return max(_NARROWEST, min(shutil.get_terminal_size().columns, _WIDEST))
