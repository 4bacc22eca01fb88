"""What the command line may say: the commands, their options, and which of these are settings."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterator
from typing import Any, NoReturn

from jaxlint import __version__

REPORTS = ("sarif", "github", "gitlab", "junit", "rdjson", "azure", "pylint", "lsp")
"""Formats that other programs define: each is a module of this name in `jaxlint.report` with a function `report`."""

WITHOUT_FIXES = ("github", "gitlab", "junit", "azure", "pylint", "lsp")
"""Those of them that do not say what can be fixed."""

FORMATS = ("full", "concise", "json", "json-lines", *REPORTS)
STDIN = "-"
PAGES = ("html", "json")
EXECUTORS = ("processes", "dask")

_PATHS = "files, folders or globs"
_DEFAULT = " (the default)"
_HOW_OFTEN: dict[str | int | None, str] = {"*": "[{}...]", "?": "[{}]"}


class UsageError(Exception):
    """The command line asks for something that does not exist; the message is the line to print."""


def parse(arguments: list[str]) -> argparse.Namespace:
    """The arguments as options; `check` is the command when none is named."""
    named = arguments.pop(0) if arguments and arguments[0] in COMMANDS else None
    command = named or "check"
    parser = parser_for(command, is_named=named is not None)
    if parser is None:
        return argparse.Namespace(command=command, arguments=arguments)
    if named is None:
        _refuse_misspelt_command(arguments)
    # The reason is optional and so has to be joined by `=`: the next word may be a path.
    arguments = ["--add-ignore=" if argument == "--add-ignore" else argument for argument in arguments]
    # Paths may stand before, between and after options.
    options, unknown = parser.parse_known_intermixed_args(arguments, argparse.Namespace(command=command))
    if unknown:
        _refuse(unknown[0], parser)
    if not getattr(options, "dynamic", True):
        _refuse_tracing(options)
    return options


def _refuse_misspelt_command(arguments: list[str]) -> None:
    """Raises UsageError where the first word names neither command nor file, and is close to the name of a command."""
    word = next(iter(arguments), "")
    if word.replace("-", "").isalpha() and not word.startswith("-") and not os.path.lexists(word):
        from jaxlint.vocabulary.words import did_you_mean

        if hint := did_you_mean(word, COMMANDS):
            raise UsageError(f"{word}: no such command, file or folder{hint}")


def _refuse(word: str, parser: argparse.ArgumentParser) -> NoReturn:
    """Raises UsageError for an argument that the command does not take."""
    from jaxlint.vocabulary.words import did_you_mean, shortened

    if not word.startswith("-"):
        raise UsageError(f"one argument too many: {shortened(word)}")
    flag = word.partition("=")[0]
    known = [known for action in parser._actions for known in action.option_strings if known.startswith("--")]
    raise UsageError(f"no such option: {shortened(flag)}{did_you_mean(flag, known)}")


def _refuse_tracing(options: argparse.Namespace) -> None:
    """Raises UsageError where a run that traces nothing is told how to trace: code runs on request only."""
    for name in TRACING:
        if getattr(options, name) is not None:
            raise UsageError(f"--{name.replace('_', '-')} says how to trace, and nothing is traced without --dynamic")


def parser_for(command: str, is_named: bool = True) -> argparse.ArgumentParser | None:
    """What reads the arguments of a command; None where they are another program's."""
    add_arguments, description = COMMANDS[command]
    if add_arguments is None:
        return None
    parser = _Parser(f"jaxlint {command}" if is_named else "jaxlint", description, is_named)
    parser.add_argument("-h", "--help", action="help", help="show this help")
    parser.add_argument("-V", "--version", action="version", version=f"jaxlint {__version__}", help="show the version")
    add_arguments(parser)
    parser.usage = f"{parser.prog} {' '.join(_usage(parser))}"
    return parser


def _usage(parser: argparse.ArgumentParser) -> Iterator[str]:
    """What stands behind a command, asked for before argparse changes what it takes."""
    yield "[OPTIONS]"
    for action in parser._actions:
        if not action.option_strings:
            yield _HOW_OFTEN.get(action.nargs, "{}").format(action.metavar)


def _add_check(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", nargs="*", metavar="PATH", help=f"{_PATHS}; `-` reads standard input (default: .)")
    _add_verbose(parser)
    _add_rules(parser)
    add = _add_files(parser)
    add("--stdin-filename", metavar="FILE", help="the file that standard input stands for")
    add("--show-files", action="store_true", help="list the files that would be linted")
    add("--show-settings", action="store_true", help="print the settings that hold for them, and where each is set")
    _add_fixes(parser)
    add = parser.add_argument_group("Known findings").add_argument
    add("--baseline", metavar="FILE", help="report only what is not in this file, which `jaxlint baseline` writes")
    add("--no-baseline", action="store_true", help="report what is in the baseline, too")
    add("--since", metavar="REV", help="report only what lines have to do with that changed since a git revision")
    add("--add-ignore", type=_reason, metavar="=REASON", help="silence all findings by comments in the files")
    add = parser.add_argument_group("Report").add_argument
    told = f"how findings are written; {', '.join(FORMATS)} (default: full)"
    add("--output-format", type=_word_of(FORMATS), choices=FORMATS, default="full", metavar="FORMAT", help=told)
    add("-o", "--output-file", metavar="FILE", help="write the report to a file")
    add("--statistics", action="store_true", help="count findings by rule")
    add("-q", "--quiet", action="store_true", help="findings only, no last line")
    add("-e", "--exit-zero", action="store_true", help="exit with 0 even when there are findings")
    add("-w", "--watch", action="store_true", help="report again whenever a file changes")
    _add_dynamic(parser, "run the code: trace it with JAX and say what is confirmed")
    _add_configuration(parser)
    _add_work(parser)
    _add_cache(parser)


def _add_fixes(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument_group("Fixes").add_argument
    add("--fix", action=argparse.BooleanOptionalAction, help="mend what can safely be mended")
    add("--unsafe-fixes", action=argparse.BooleanOptionalAction, help="also by fixes that may change what code means")
    add("--diff", action="store_true", help="print what --fix would change, and change nothing")
    add("--fix-only", action="store_true", help="--fix, and say nothing of what is left")
    add("--show-fixes", action="store_true", help="list what --fix has mended")
    add("--exit-non-zero-on-fix", action="store_true", help="exit with 1 when anything was fixed")
    add("--fixable", **_BY_COMMAS, metavar="RULES", help="rules that may be fixed (default: ALL)")
    add("--unfixable", **_BY_COMMAS, metavar="RULES", help="rules that may not")


def _add_work(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument_group("Work").add_argument
    add("-j", "--jobs", type=_jobs, metavar="N", help="analyse on so many cores (default: all)")
    told = "who does it: processes of this machine (default), or dask, the workers of a cluster"
    add("--executor", type=_word_of(EXECUTORS), choices=EXECUTORS, default="processes", metavar="NAME", help=told)
    add("--scheduler", metavar="ADDRESS", help="the cluster's scheduler, such as tcp://10.0.0.1:8786")


def _add_cache(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument_group("Results of other runs").add_argument
    add("-n", "--no-cache", action="store_true", help="neither use nor keep them")
    add("--cache-dir", metavar="DIR", help="where they are kept (default: .jaxlint_cache beside each program)")


def _add_report(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", nargs="*", metavar="PATH", help=f"{_PATHS} (default: .)")
    _add_verbose(parser)
    add = parser.add_argument_group("Page").add_argument
    told = "html, a page for a browser (default), or json, data"
    add("--format", type=_word_of(PAGES), choices=PAGES, default="html", metavar="FORMAT", help=told)
    add("-o", "--output-file", metavar="FILE", help="where to write (default: jaxlint-report.html); `-` prints")
    add("-q", "--quiet", action="store_true", help="do not say what was written")
    _add_rules(parser)
    _add_files(parser)
    _add_dynamic(parser, "run the code: trace it with JAX and say what is confirmed")
    _add_configuration(parser)
    _add_cache(parser)


def _add_rules(parser: argparse.ArgumentParser) -> None:
    """What is reported."""
    add = parser.add_argument_group("Rules").add_argument
    add("--select", **_BY_COMMAS, metavar="RULES", help="codes, prefixes, names or ALL, by commas; these alone report")
    add("--ignore", **_BY_COMMAS, metavar="RULES", help="without these")
    add("--extend-select", **_BY_COMMAS, metavar="RULES", help="these, too")
    add("--extend-ignore", **_BY_COMMAS, metavar="RULES", help="without these either")
    add("--per-file-ignores", type=_pattern_rules, action=_Update, metavar="PATTERN:RULE,…", help="ignore by file")
    told = "report from this certainty up: possible, likely (default), certain"
    add("--certainty", metavar="LEVEL", help=told)
    add("--preview", action=argparse.BooleanOptionalAction, help="also report what rules in preview find")
    add("--jax-version", metavar="VERSION", help="the version of jax that the code runs with")


def _add_files(parser: argparse.ArgumentParser) -> Callable[..., argparse.Action]:
    """What is linted; gives what adds to these options."""
    add = parser.add_argument_group("Files").add_argument
    add("--exclude", **_BY_COMMAS, metavar="PATTERNS", help="names or paths that are not linted")
    add("--extend-exclude", **_BY_COMMAS, metavar="PATTERNS", help="more of them")
    add("--force-exclude", action="store_true", help="leave out excluded files even when they are named")
    return add


def _add_init(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("-y", "--yes", action="store_true", help="write everything, and ask nothing")


def _add_baseline(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", nargs="*", metavar="PATH", help=f"{_PATHS} (default: .)")
    _add_verbose(parser)
    add = parser.add_argument_group("Known findings").add_argument
    add("--grow", action="store_true", help="take new findings in; only a baseline that is new does so by itself")
    add("--baseline", metavar="FILE", help="the file (default: .jaxlint-baseline.json beside the configuration)")
    add("--force-exclude", action="store_true", help="leave out excluded files even when they are named")
    _add_configuration(parser)


def _add_rule(parser: argparse.ArgumentParser) -> None:
    formats = ("text", "json")
    parser.add_argument("rule", nargs="?", metavar="RULE", help="a code or a name")
    add = parser.add_argument_group("Page").add_argument
    add("--all", action="store_true", help="every rule's page")
    told = "text (default) or json"
    add("--output-format", type=_word_of(formats), choices=formats, default="text", metavar="FORMAT", help=told)


def _add_test_rule(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("card", metavar="CARD", help="the card of a rule of your own, or the code of an installed one")


def _add_why(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("place", metavar="FILE:LINE", help="a line, in a notebook 'FILE:cell 3:LINE'")
    _add_verbose(parser)
    _add_dynamic(parser, "run the code: show what the line becomes when JAX traces it")
    _add_configuration(parser)


def _add_dynamic(parser: argparse.ArgumentParser, purpose: str) -> None:
    add = parser.add_argument_group("Dynamic mode").add_argument
    add("--dynamic", action="store_true", help=purpose)
    add("--platform", metavar="NAME", help="what --dynamic traces for, of what is there (default: cpu)")
    add("--lower-for", type=_platforms, metavar="PLATFORMS", help="--dynamic also compiles for cuda, rocm or tpu")
    add("--dynamic-timeout", type=_seconds, metavar="SECONDS", help="for one import or one function (default: 30)")
    add("--dynamic-budget", type=_seconds, metavar="SECONDS", help="for all tracing of this run")


def _add_server(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--tcp", metavar="HOST:PORT", help="listen on a port instead of standard input, for debugging")


def _add_shell(parser: argparse.ArgumentParser) -> None:
    shells = ("bash", "fish", "zsh")
    told = "bash, fish or zsh"
    parser.add_argument("shell", type=_word_of(shells), choices=shells, metavar="SHELL", help=told)


def _add_clean(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--cache-dir", metavar="DIR", help="remove those in this folder instead")


def _add_verbose(parser: argparse.ArgumentParser) -> None:
    told = "say on standard error what is done and found out, where the analysis gave up, and what takes the time"
    parser.add_argument("-v", "--verbose", action="store_true", help=told)


def _add_configuration(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument_group("Configuration").add_argument
    add("--config", metavar="FILE", help="use this configuration file for everything")
    add("--isolated", action="store_true", help="use no configuration file")
    told = "cards of rules of your own whose code is run (docs/custom-rules.md)"
    add("--rules", type=_comma_list, action="extend", metavar="CARDS", help=told)


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
        "rules",
        "dynamic",
    }
)
"""The options with which a run may have other findings than the project's usual ones."""

COMMANDS: dict[str, tuple[Callable[[argparse.ArgumentParser], None] | None, str]] = {
    "check": (_add_check, "find the sharp bits in JAX code without running it" + _DEFAULT),
    "init": (_add_init, "set a project up: settings, a hook for pre-commit, a baseline; asks before it writes"),
    "baseline": (_add_baseline, "note what is found as known, so that only new findings are reported"),
    "report": (_add_report, "write a page with findings, code, and what is traced by what"),
    "rule": (_add_rule, "explain a rule, or list all"),
    "test-rule": (_add_test_rule, "run a rule of your own over the examples on its card"),
    "why": (_add_why, "say what is known about a line"),
    "record": (None, "run a program or its tests and note its calls, as inputs for --dynamic"),
    "server": (_add_server, "the language server, for editors: diagnostics, fixes and more while you type"),
    "generate-shell-completion": (_add_shell, "print completions for bash, fish or zsh"),
    "clean": (_add_clean, "remove cached results below the current folder"),
}
"""What adds a command's options (None: it reads its arguments itself), and what the command is for."""


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in one line, without the usage; its help is a page of ours."""

    def __init__(self, prog: str, description: str, is_named: bool) -> None:
        super().__init__(prog=prog, description=description.removesuffix(_DEFAULT), allow_abbrev=False, add_help=False)
        self._is_named = is_named

    def error(self, message: str) -> NoReturn:
        raise UsageError(message)

    def format_help(self) -> str:
        from jaxlint.command.help import command_page, first_page

        if self._is_named:
            return command_page(self)
        return first_page(self, {name: text for name, (_, text) in COMMANDS.items()})


class _Update(argparse.Action):
    """Collects tables from a repeated option."""

    def __call__(self, parser: object, namespace: argparse.Namespace, values: object, option: object = None) -> None:
        table = getattr(namespace, self.dest) or {}
        for pattern, rules in values:  # type: ignore[attr-defined]  # what `_pattern_rules` returns
            table.setdefault(pattern, []).append(rules)
        setattr(namespace, self.dest, table)


def _word_of(words: tuple[str, ...]) -> Callable[[str], str]:
    """Takes one of these words only, and says which was meant."""

    def word(text: str) -> str:
        if text not in words:
            from jaxlint.vocabulary.words import did_you_mean, shortened

            expected = f"expected {', '.join(words[:-1])} or {words[-1]}"
            raise argparse.ArgumentTypeError(f"{expected}, found {shortened(text)}{did_you_mean(text, words)}")
        return text

    return word


def _comma_list(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


_BY_COMMAS: dict[str, Any] = {"type": _comma_list, "action": "extend"}


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


def _jobs(text: str) -> int:
    """How many processes work at a time.  Raises ArgumentTypeError."""
    if not text.isdigit() or not int(text):
        raise argparse.ArgumentTypeError(f"a number from 1 up, not {text!r}")
    return int(text)


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
