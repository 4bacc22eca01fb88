"""What the command line may say: the commands, their options, and which of these are settings."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import NoReturn

from jaxlint import __version__

REPORTS = ("sarif", "github", "gitlab", "junit", "rdjson", "azure", "pylint", "lsp")
"""Formats that other programs define: each is a module of this name in `jaxlint.report` with a function `report`."""

WITHOUT_FIXES = ("github", "gitlab", "junit", "azure", "pylint", "lsp")
"""Those of them that do not say what can be fixed."""

FORMATS = ("full", "concise", "json", "json-lines", *REPORTS)
STDIN = "-"
PAGES = ("html", "json")


class UsageError(Exception):
    """The command line asks for something that does not exist; the message is the line to print."""


def parse(arguments: list[str]) -> argparse.Namespace:
    """The arguments as options; `check` is the command when none is named."""
    command = arguments.pop(0) if arguments and arguments[0] in COMMANDS else "check"
    parser = parser_for(command)
    if parser is None:
        return argparse.Namespace(command=command, arguments=arguments)
    # The reason is optional and so has to be joined by `=`: the next word may be a path.
    arguments = ["--add-ignore=" if argument == "--add-ignore" else argument for argument in arguments]
    # Paths may stand before, between and after options.
    options = parser.parse_intermixed_args(arguments, argparse.Namespace(command=command))
    if not getattr(options, "dynamic", True):
        _refuse_tracing(options)
    return options


def _refuse_tracing(options: argparse.Namespace) -> None:
    """Raises UsageError where a run that traces nothing is told how to trace: code runs on request only."""
    for name in TRACING:
        if getattr(options, name) is not None:
            raise UsageError(f"--{name.replace('_', '-')} says how to trace, and nothing is traced without --dynamic")


def parser_for(command: str) -> argparse.ArgumentParser | None:
    """What reads the arguments of a command; None where they are another program's."""
    add_arguments, description = COMMANDS[command]
    if add_arguments is None:
        return None
    parser = _Parser(
        prog=f"jaxlint {command}",
        description=description,
        epilog="commands: " + "; ".join(f"{name}: {text}" for name, (_, text) in COMMANDS.items()),
        allow_abbrev=False,
    )
    parser.add_argument("-V", "--version", action="version", version=f"jaxlint {__version__}")
    add_arguments(parser)
    return parser


def _add_check(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("paths", nargs="*", metavar="PATH", help="files, folders or globs; `-` reads standard input (default: .)")
    _add_selection(parser)
    add("--fix", action=argparse.BooleanOptionalAction, help="mend what can safely be mended")
    add("--unsafe-fixes", action=argparse.BooleanOptionalAction, help="also by fixes that may change what code means")
    add("--add-ignore", type=_reason, metavar="=REASON", help="silence all findings by comments in the files")
    add("--diff", action="store_true", help="print what --fix would change, and change nothing")
    add("--fix-only", action="store_true", help="--fix, and say nothing of what is left")
    add("--show-fixes", action="store_true", help="list what --fix has mended")
    add("--exit-non-zero-on-fix", action="store_true", help="exit with 1 when anything was fixed")
    for flag in ("--fixable", "--unfixable"):
        add(flag, type=_comma_list, action="extend", metavar="RULES", help="rules that may, or may not, be fixed")
    add("--baseline", metavar="FILE", help="report only what is not in this file, which `jaxlint baseline` writes")
    add("--no-baseline", action="store_true", help="report what is in the baseline, too")
    add("--since", metavar="REV", help="report only what lines have to do with that changed since a git revision")
    add("--output-format", choices=FORMATS, default="full", help="how findings are written (default: full)")
    add("-o", "--output-file", metavar="FILE", help="write the report to a file")
    add("--statistics", action="store_true", help="count findings by rule")
    add("-q", "--quiet", action="store_true", help="findings only, no last line")
    add("-e", "--exit-zero", action="store_true", help="exit with 0 even when there are findings")
    add("-w", "--watch", action="store_true", help="report again whenever a file changes")
    add("--stdin-filename", metavar="FILE", help="the file that standard input stands for")
    _add_dynamic(parser, "run the code: trace it with JAX and say what is confirmed")
    add("--show-files", action="store_true", help="list the files that would be linted")
    add("-n", "--no-cache", action="store_true", help="do not use cached results of --dynamic")


def _add_report(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("paths", nargs="*", metavar="PATH", help="files, folders or globs (default: .)")
    add("--format", choices=PAGES, default="html", help="a page for a browser (default), or data")
    add("-o", "--output-file", metavar="FILE", help="where to write (default: jaxlint-report.html); `-` prints")
    add("-q", "--quiet", action="store_true", help="do not say what was written")
    _add_selection(parser)
    _add_dynamic(parser, "run the code: trace it with JAX and say what is confirmed")
    add("-n", "--no-cache", action="store_true", help="do not use cached results of --dynamic")


def _add_selection(parser: argparse.ArgumentParser) -> None:
    """What is linted and what of it is reported."""
    add = parser.add_argument
    for flag in ("--select", "--ignore", "--extend-select", "--extend-ignore"):
        add(flag, type=_comma_list, action="extend", metavar="RULES", help="codes, prefixes, names or ALL, by commas")
    add("--per-file-ignores", type=_pattern_rules, action=_Update, metavar="PATTERN:RULE,…", help="ignore by file")
    for flag in ("--exclude", "--extend-exclude"):
        add(flag, type=_comma_list, action="extend", metavar="PATTERNS", help="names or paths that are not linted")
    add("--force-exclude", action="store_true", help="leave out excluded files even when they are named")
    add("--certainty", metavar="LEVEL", help="report from this certainty up: possible, likely (default), certain")
    add("--preview", action=argparse.BooleanOptionalAction, help="also report what rules in preview find")
    add("--jax-version", metavar="VERSION", help="the version of jax that the code runs with")
    _add_configuration(parser)


def _add_baseline(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("paths", nargs="*", metavar="PATH", help="files, folders or globs (default: .)")
    add("--grow", action="store_true", help="take new findings in; only a baseline that is new does so by itself")
    add("--baseline", metavar="FILE", help="the file (default: .jaxlint-baseline.json beside the configuration)")
    add("--force-exclude", action="store_true", help="leave out excluded files even when they are named")
    _add_configuration(parser)


def _add_rule(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("rule", nargs="?", metavar="RULE", help="a code or a name")
    parser.add_argument("--all", action="store_true", help="every rule's page")
    parser.add_argument("--output-format", choices=("text", "json"), default="text")


def _add_why(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("place", metavar="FILE:LINE", help="a line, in a notebook 'FILE:cell 3:LINE'")
    _add_dynamic(parser, "run the code: show what the line becomes when JAX traces it")
    _add_configuration(parser)


def _add_dynamic(parser: argparse.ArgumentParser, purpose: str) -> None:
    add = parser.add_argument
    add("--dynamic", action="store_true", help=purpose)
    add("--platform", metavar="NAME", help="what --dynamic traces for, of what is there (default: cpu)")
    add("--lower-for", type=_platforms, metavar="PLATFORMS", help="--dynamic also compiles for cuda, rocm or tpu")
    add("--dynamic-timeout", type=_seconds, metavar="SECONDS", help="for one import or one function (default: 30)")
    add("--dynamic-budget", type=_seconds, metavar="SECONDS", help="for all tracing of this run")


def _add_server(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--tcp", metavar="HOST:PORT", help="listen on a port instead of standard input, for debugging")


def _add_shell(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", choices=("bash", "fish", "zsh"), metavar="SHELL", help="bash, fish or zsh")


def _add_nothing(parser: argparse.ArgumentParser) -> None:
    """For commands without options."""


def _add_configuration(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--config", metavar="FILE", help="use this configuration file for everything")
    parser.add_argument("--isolated", action="store_true", help="use no configuration file")


TRACING = ("platform", "lower_for", "dynamic_timeout", "dynamic_budget")
"""The options that say how `--dynamic` runs code: without it they are a mistake."""

SETTINGS = frozenset(
    {
        "select",
        "ignore",
        "extend_select",
        "extend_ignore",
        "per_file_ignores",
        "exclude",
        "extend_exclude",
        "certainty",
        "preview",
        "jax_version",
        "baseline",
        "fix",
        "unsafe_fixes",
        "fixable",
        "unfixable",
    }
)
"""The options that are settings; the others are about this run only."""

NARROWING = frozenset(
    {
        "select",
        "ignore",
        "extend_select",
        "extend_ignore",
        "per_file_ignores",
        "certainty",
        "preview",
        "jax_version",
        "isolated",
        "dynamic",
    }
)
"""The options with which a run may have other findings than the project's usual ones."""

COMMANDS: dict[str, tuple[Callable[[argparse.ArgumentParser], None] | None, str]] = {
    "check": (_add_check, "find the sharp bits in JAX code without running it (the default)"),
    "baseline": (_add_baseline, "note what is found as known, so that only new findings are reported"),
    "report": (_add_report, "write a page with findings, code, and what is traced by what"),
    "rule": (_add_rule, "explain a rule, or list all"),
    "why": (_add_why, "say what is known about a line"),
    "record": (None, "run a program or its tests and note its calls, as inputs for --dynamic"),
    "server": (_add_server, "the language server, for editors: diagnostics, fixes and more while you type"),
    "generate-shell-completion": (_add_shell, "print completions for bash, fish or zsh"),
    "clean": (_add_nothing, "remove cached results below the current folder"),
}
"""What adds a command's options (None: it reads its arguments itself), and what the command is for."""


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in one line, without the usage."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(message)


class _Update(argparse.Action):
    """Collects tables from a repeated option."""

    def __call__(self, parser: object, namespace: argparse.Namespace, values: object, option: object = None) -> None:
        table = getattr(namespace, self.dest) or {}
        for pattern, rules in values:  # type: ignore[attr-defined]  # what `_pattern_rules` returns
            table.setdefault(pattern, []).append(rules)
        setattr(namespace, self.dest, table)


def _comma_list(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def _platforms(text: str) -> list[str]:
    platforms = _comma_list(text)
    if not platforms or (unknown := set(platforms) - {"cuda", "rocm", "tpu"}):
        found = ", ".join(sorted(unknown)) if platforms else "nothing"
        raise argparse.ArgumentTypeError(f"expected cuda, rocm or tpu, found {found}")
    return list(dict.fromkeys(platforms))


def _seconds(text: str) -> float:
    seconds = float(text)
    if not 0 < seconds < float("inf"):
        raise argparse.ArgumentTypeError(f"expected a number of seconds above 0, found {text!r}")
    return seconds


def _reason(text: str) -> str:
    if not text.isprintable():
        raise argparse.ArgumentTypeError("expected a text of one line")
    return text.strip()


def _pattern_rules(text: str) -> list[tuple[str, str]]:
    """`tests/*:JAX101,lib.py:JAX4` as pairs."""
    pairs = [part.rpartition(":") for part in _comma_list(text)]
    if not all(separator for _, separator, _ in pairs):
        raise argparse.ArgumentTypeError(f"expected PATTERN:RULE, found {text!r}")
    return [(pattern.strip(), name.strip()) for pattern, _, name in pairs]
