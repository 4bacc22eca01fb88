"""The command `jaxlint`: arguments in, a report and an exit code out.

Exit codes: 0 nothing found, 1 findings, 2 the run itself failed or an input could not be read.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import importlib
import io
import os
import re
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, NoReturn, TextIO

from jaxlint import __version__

if TYPE_CHECKING:
    from jaxlint.adoption import Shown
    from jaxlint.api import Refine, Run
    from jaxlint.configuration import Configuration
    from jaxlint.dynamic.launch import Options
    from jaxlint.findings import Finding, Location
    from jaxlint.fixes.fixing import Fixed
    from jaxlint.flow.call_graph import Traces
    from jaxlint.project.program import Program
    from jaxlint.watching import Watching

REPORTS = ("sarif", "github", "gitlab", "junit", "rdjson", "azure", "pylint", "lsp")
"""Formats that other programs define: each is a module of this name in `jaxlint.report` with a function `report`."""

FORMATS = ("full", "concise", "json", "json-lines", *REPORTS)
STDIN = "-"


class UsageError(Exception):
    """The command line asks for something that does not exist; the message is the line to print."""


def command() -> NoReturn:
    """The process `jaxlint`: runs the command and leaves at once, without taking millions of objects apart."""
    code = main()
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError):  # the reader may be gone, after Ctrl-C too
            stream.flush()
    os._exit(code)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command with these arguments (default: the process's own) and return its exit code."""
    # Syntax trees and abstract values are millions of objects that live to the end: looking for garbage among them
    # would take two thirds of the time.
    collecting = gc.isenabled()
    gc.disable()
    try:
        return _run(arguments)
    finally:
        if collecting:
            gc.enable()


def _run(arguments: Sequence[str] | None) -> int:
    _never_fail_to_print(sys.stdout)
    _never_fail_to_print(sys.stderr)
    try:
        options = _parse(list(sys.argv[1:] if arguments is None else arguments))
        code = _COMMANDS[options.command][0](options)
        sys.stdout.flush()
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # The reader has gone; keep the interpreter from complaining when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except Exception as error:
        from jaxlint.report.text import error_line

        error_line(_one_line(error))
        return 2
    return code


def check(options: argparse.Namespace) -> int:
    """Lint the paths and print what is found."""
    from jaxlint.api import Run

    if options.statistics and options.output_format in REPORTS:
        raise UsageError(f"--statistics: there is no such report in the format {options.output_format}")
    if options.watch:
        return _watch(options)
    paths = options.paths or ["."]
    buffers: dict[str, bytes] = {}
    if options.fix_only:
        options.fix = True
    if options.diff and options.dynamic:
        raise UsageError("--diff changes nothing that --dynamic could run")
    if STDIN in paths:
        if options.dynamic:
            raise UsageError("--dynamic imports files: standard input is none")
        buffers[options.stdin_filename or STDIN] = sys.stdin.buffer.read()
        paths = [path for path in paths if path != STDIN]
    run = Run.over(paths, _configuration(options), buffers, options.force_exclude)
    if options.show_files:
        return _print_lines(run.files)
    if not run.files:
        print("warning: no Python files found under the given paths", file=sys.stderr)
    settings = run.configuration.settings_for(run.configuration.cwd)
    fixes = options.diff or settings.fix
    if options.since is not None and (fixes or buffers):
        what = "what is being fixed" if fixes else "standard input"
        raise UsageError(f"--since compares files as they lie there, not {what}")
    if options.add_ignore is not None and (fixes or buffers):
        raise UsageError("--add-ignore writes into files: not with fixes, nor into standard input")
    shown = _shown(run, options)
    if fixes:
        return _fix(run, options, settings.unsafe_fixes, shown)
    findings = shown(run.findings(_refinement(options) if options.dynamic else None))
    if options.add_ignore is not None:
        return _add_ignores(findings, run, options)
    _print_report(findings, run, options)
    _print_notes(shown, options)
    return _exit_code(findings, options)


def _watch(options: argparse.Namespace) -> int:
    """Report again whenever something changes, until the process is interrupted."""
    for name in ("fix", "fix_only", "diff", "dynamic", "show_files", "add_ignore"):
        if getattr(options, name) not in (None, False):
            raise UsageError(f"--watch only reports: not with --{name.replace('_', '-')}")
    if STDIN in options.paths:
        raise UsageError("--watch: standard input is no file")
    _need_extra("watch", "watchfiles")
    from jaxlint.watching import Watching

    watching = Watching(options.paths or ["."], _configuration(options), options.force_exclude)
    for changed in watching:
        if sys.stdout.isatty():
            print("\033[2J\033[3J\033[H", end="")
        if changed:
            first = os.path.relpath(changed[0])
            _status(f"{first} changed" if len(changed) == 1 else f"{first} and {len(changed) - 1} more changed")
        _report_once(watching, options)
        gc.collect()  # nothing else happens until the next change
    return 0


def _report_once(watching: Watching, options: argparse.Namespace) -> None:
    """The report as things are now; what keeps it from being made is one line, and may be mended while we watch."""
    from jaxlint.report.text import error_line

    start = time.perf_counter()
    try:
        run, found = watching.lint()
        shown = _shown(run, options)
        _print_report(shown(found), run, options)
        if not options.quiet:
            _print_lines(shown.notes(update=False), sys.stderr)
    except BrokenPipeError:
        raise
    except Exception as error:
        error_line(_one_line(error))
    sys.stdout.flush()
    _status(f"checked in {time.perf_counter() - start:.2f} s, watching for changes")


def _status(text: str) -> None:
    from jaxlint.report.source import printable

    print(f"[{time.strftime('%H:%M:%S')}] {printable(text)}", file=sys.stderr, flush=True)


def _shown(run: Run, options: argparse.Namespace) -> Shown:
    """What of the findings is reported."""
    from jaxlint.adoption import Known, Shown

    known = None if options.no_baseline else Known.of(run)
    if options.since is None:
        return Shown(known)
    from jaxlint.project.changes import changes_since

    return Shown(known, changes_since(options.since, run.files))


def _add_ignores(findings: list[Finding], run: Run, options: argparse.Namespace) -> int:
    """Silence the findings by comments, and report those that cannot be."""
    from jaxlint.adoption import add_ignores
    from jaxlint.report.text import error_line

    done = add_ignores(run, findings, options.add_ignore)
    for failure in done.failures:
        error_line(failure)
    if not options.quiet:
        print(done.told, file=sys.stderr)
    if done.left:
        _print_report(done.left, run, options)
    return 2 if done.failures else _exit_code(done.left, options)


def _print_notes(shown: Shown, options: argparse.Namespace) -> None:
    """What baselines have hidden and lost, which only a run with the usual rules over files can say."""
    usual = not _NARROWING & {name for name, value in vars(options).items() if value}
    notes = list(shown.notes(update=usual and STDIN not in options.paths))
    if not options.quiet:
        _print_lines(notes, sys.stderr)


def _exit_code(findings: list[Finding], options: argparse.Namespace) -> int:
    if any(finding.code == "JAX002" for finding in findings):
        return 2
    return 1 if findings and not options.exit_zero else 0


def _fix(run: Run, options: argparse.Namespace, unsafe: bool, shown: Shown) -> int:
    """Mend what can be mended, or show how, and report the rest."""
    from jaxlint.fixes import fixing
    from jaxlint.report import fixes
    from jaxlint.report.source import Sources
    from jaxlint.report.text import error_line

    fixed = fixing.fix(lambda _: shown(run.findings()), run.documents, fixing.accepted(unsafe))
    sources = Sources(run.documents, run.configuration.cwd)
    if options.diff:
        _print_lines(fixes.diff(fixed, sources))
        if not options.quiet:
            print(fixes.would_fix(fixed), file=sys.stderr)
        return 1 if fixed.applied and not options.exit_zero else 0
    stdin = options.stdin_filename or STDIN if STDIN in options.paths else None
    if stdin is not None:
        return _fix_stdin(fixed, run, options, os.path.realpath(os.path.join(run.configuration.cwd, stdin)))
    failed = 0
    for path, reason in fixing.write(fixed):
        error_line(f"{path}: not fixed: {reason}")
        failed = 2
    left = fixed.left
    if options.dynamic:
        left = shown(type(run).over(options.paths or ["."], run.configuration).findings(_refinement(options)))
    if options.show_fixes:
        _print_lines(fixes.listing(fixed, sources))
    _print_report([] if options.fix_only else left, run, options, len(fixed.applied))
    _print_notes(shown, options)
    if fixed.applied and options.exit_non_zero_on_fix:
        return failed or 1
    return failed or (0 if options.fix_only else _exit_code(left, options))


def _fix_stdin(fixed: Fixed, run: Run, options: argparse.Namespace, real: str) -> int:
    """The fixed text is the output; the report goes where it does not get into it."""
    sys.stdout.flush()
    sys.stdout.buffer.write(run.documents[real].data())
    _report(fixed.left, run, options, sys.stderr, len(fixed.applied))
    return _exit_code(fixed.left, options)


def _print_report(findings: list[Finding], run: Run, options: argparse.Namespace, fixed: int = 0) -> None:
    """The report, to where it was asked for."""
    if not options.output_file:
        _report(findings, run, options, sys.stdout, fixed)
        return
    text = io.StringIO()
    _report(findings, run, options, text, fixed)
    _write(options.output_file, text.getvalue().encode("utf-8", "backslashreplace"))


def _write(path: str, data: bytes) -> None:
    """A report into a file, in one step where that is possible."""
    from jaxlint.project.writing import replace_file

    if os.path.isfile(path) or not os.path.exists(path):
        with contextlib.suppress(OSError):
            replace_file(path, data)
            return
    with open(path, "wb") as file:  # a pipe, a device, or a file in a folder that takes no others
        file.write(data)


def _workers(options: argparse.Namespace) -> tuple[Options, dict[str, str]]:
    """How user code is to be run, and the versions it runs with.  Raises UsageError where it cannot be."""
    from jaxlint.dynamic.broker import Options, Unavailable, jax_versions

    chosen = Options(
        platform=options.platform,
        lower_for=tuple(options.lower_for),
        timeout=options.dynamic_timeout,
        budget=options.dynamic_budget,
    )
    try:
        return chosen, jax_versions(chosen)
    except Unavailable as error:
        raise UsageError(f"--dynamic: {error}; pip install 'jaxlint-sharp-bits[dynamic]'") from None


def _refinement(options: argparse.Namespace) -> Refine:
    """What turns findings into findings with verdicts.  Raises UsageError where dynamic mode cannot run."""
    from jaxlint.dynamic.cache import FOLDER, Cache
    from jaxlint.dynamic.progress import Progress
    from jaxlint.dynamic.prove import prove

    chosen, versions = _workers(options)
    progress = Progress(quiet=options.quiet)

    def refine(program: Program, findings: list[Finding], traced: list[Location]) -> list[Finding]:
        folder = os.path.join(program.root, FOLDER)
        cache = None if options.no_cache else Cache(folder, f"jax {versions['jax']} python {versions['python']}")
        return prove(program, findings, traced, chosen, versions["jax"], progress, cache)

    return refine


def report(options: argparse.Namespace) -> int:
    """Write findings, and what is traced by what, as one page or as JSON."""
    from jaxlint.api import Run
    from jaxlint.flow.call_graph import CallGraph
    from jaxlint.project.writing import replace_file

    if options.format == "html":
        _need_extra("report", "markdown_it", "pygments")
    run = Run.over(options.paths or ["."], _configuration(options), force_exclude=options.force_exclude)
    graph = CallGraph()
    findings = run.findings(_refinement(options) if options.dynamic else None, graph)
    asked = {os.path.realpath(path) for path in run.files}
    traces = {root: calls for root, calls in graph.traces().items() if os.path.realpath(root.place.path) in asked}
    text = _WRITERS[options.format](findings, traces, run)
    output = options.output_file or f"jaxlint-report.{options.format}"
    if output == STDIN:
        sys.stdout.write(text)
        return 0
    replace_file(output, text.encode("utf-8", "replace"))
    if not options.quiet:
        functions = {call.callee for calls in traces.values() for call in calls} | {root.function for root in traces}
        print(f"wrote {output}: {_count(len(findings), 'finding')}, {_count(len(functions), 'traced function')}")
    return 0


def _as_html(findings: list[Finding], traces: Traces, run: Run) -> str:
    from datetime import datetime

    from jaxlint.report.page.build import Page
    from jaxlint.report.source import Sources

    cwd = run.configuration.cwd
    made = datetime.now().strftime("%Y-%m-%d %H:%M")
    return Page(os.path.basename(cwd) or cwd, findings, traces, Sources(run.documents, cwd), made).html()


def _as_json(findings: list[Finding], traces: Traces, run: Run) -> str:
    from jaxlint.report.data import as_report

    return as_report(findings, traces)


_WRITERS: dict[str, Callable[[list[Finding], Traces, Run], str]] = {"html": _as_html, "json": _as_json}


def _need_extra(extra: str, *modules: str) -> None:
    """Raises UsageError, with what to install, where a library of an extra is missing."""
    from importlib.util import find_spec

    if not all(map(find_spec, modules)):
        raise UsageError(f"{extra}: this needs more libraries: pip install 'jaxlint-sharp-bits[{extra}]'")


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def record(options: argparse.Namespace) -> int:
    """Run a program or its tests and note the calls that its functions get."""
    from jaxlint.dynamic.inputs.record import main as run_recorded

    return run_recorded(options.arguments)


def server(options: argparse.Namespace) -> int:
    """Serve an editor."""
    from jaxlint.server.launch import ServerUnavailable, serve

    try:
        return serve(options.tcp)
    except ServerUnavailable as error:
        raise UsageError(str(error)) from None


def generate_shell_completion(options: argparse.Namespace) -> int:
    """Print a script that teaches a shell this command line."""
    from jaxlint.completion import SHELLS, command

    known = [command(name, text, _parser(name)) for name, (_, _, text) in _COMMANDS.items()]
    return _print_lines(SHELLS[options.shell](known))


def clean(options: argparse.Namespace) -> int:
    """Remove the cached results below the current folder's programs."""
    import shutil

    from jaxlint.dynamic.cache import FOLDER

    for folder, below, _ in os.walk("."):
        if FOLDER in below:
            below.remove(FOLDER)
            shutil.rmtree(os.path.join(folder, FOLDER))
            print(f"removed {os.path.normpath(os.path.join(folder, FOLDER))}")
    return 0


def baseline(options: argparse.Namespace) -> int:
    """Note what is found now as known, or take out of the notes what is gone."""
    from jaxlint.adoption import settle
    from jaxlint.api import Run
    from jaxlint.report.source import Sources
    from jaxlint.report.text import Paint, concise, wants_colour

    run = Run.over(options.paths or ["."], _configuration(options), force_exclude=options.force_exclude)
    findings = run.findings()
    sources = Sources(run.documents, run.configuration.cwd)
    left = 0
    for settled in settle(run, findings, options.grow):
        print(f"{sources.shown_path(settled.baseline.path)}: {settled.told}")
        _print_lines(concise(settled.new, sources, Paint(wants_colour(sys.stdout))))
        left += len(settled.new)
    if any(finding.code == "JAX002" for finding in findings):
        return 2
    return 1 if left else 0


def rule(options: argparse.Namespace) -> int:
    """Print one rule's card, or a line for each rule."""
    from jaxlint.report import rules as pages
    from jaxlint.rules import all_rules, find_rule

    chosen = list(all_rules().values())
    if options.rule is not None:
        found = find_rule(options.rule)
        if found is None:
            raise UsageError(_unknown_rule(options.rule))
        chosen = [found]
    if options.output_format == "json":
        print(pages.as_json(chosen, single=options.rule is not None))
        return 0
    return _print_lines(pages.full(chosen) if options.rule or options.all else pages.listing(chosen))


def why(options: argparse.Namespace) -> int:
    """Print what the linter knows about one line: by whom it is traced, what its names are."""
    from jaxlint.api import Run
    from jaxlint.checks.run import explain
    from jaxlint.findings import Location
    from jaxlint.report.source import printable

    asked_for = re.fullmatch(r"(.+?)(?::cell (\d+))?:(\d+)", options.place)
    if asked_for is None:
        raise UsageError(f"{options.place}: expected FILE:LINE, such as train.py:12 or 'demo.ipynb:cell 3:12'")
    path, cell, line = asked_for[1], int(asked_for[2] or 0), int(asked_for[3])
    run = Run.over([path], _configuration(options))
    for program in run.programs():
        for asked in program.requested:
            file = program.by_path[asked].path
            _print_lines(map(printable, explain(program, program.settings, file, line, cell)))
            if options.dynamic:
                _print_lines(map(printable, _traced_line(program, Location(file, line, 0), options)))
    return 0


def _traced_line(program: Program, place: Location, options: argparse.Namespace) -> list[str]:
    from jaxlint.dynamic.progress import Progress
    from jaxlint.dynamic.prove import explain

    chosen, versions = _workers(options)
    return explain(program, place, chosen, versions["jax"], Progress())


def _report(findings: list[Finding], run: Run, options: argparse.Namespace, out: TextIO, fixed: int = 0) -> None:
    from jaxlint.report import data, statistics, text
    from jaxlint.report.source import Sources

    sources = Sources(run.documents, run.configuration.cwd)
    if options.output_format in REPORTS:
        writer = importlib.import_module(f"jaxlint.report.{options.output_format}")
        _print_lines(writer.report(findings, sources), out)
        return
    if options.output_format in ("json", "json-lines"):
        if options.statistics:
            print(statistics.as_json(findings), file=out)
        elif options.output_format == "json":
            print(data.as_json(findings), file=out)
        else:
            _print_lines(data.as_json_lines(findings), out)
        return
    paint = text.Paint(text.wants_colour(out))
    unsafe = run.configuration.settings_for(run.configuration.cwd).unsafe_fixes
    if options.statistics:
        _print_lines(statistics.table(findings), out)
    else:
        write = text.full if options.output_format == "full" else text.concise
        _print_lines(write(findings, sources, paint, unsafe), out)
    if not options.quiet:
        _print_lines(text.summary(findings, fixed, unsafe), out)


def _configuration(options: argparse.Namespace) -> Configuration:
    """The configuration with the command line's values, under the names they have in a file."""
    from jaxlint.configuration import Configuration

    values = {name.replace("_", "-"): value for name, value in vars(options).items() if name in _SETTINGS}
    overrides = {name: value for name, value in values.items() if value is not None}
    return Configuration(os.getcwd(), overrides, options.config, options.isolated)


def _parse(arguments: list[str]) -> argparse.Namespace:
    """The arguments as options; `check` is the command when none is named."""
    command = arguments.pop(0) if arguments and arguments[0] in _COMMANDS else "check"
    parser = _parser(command)
    if parser is None:
        return argparse.Namespace(command=command, arguments=arguments)
    # The reason is optional and so has to be joined by `=`: the next word may be a path.
    arguments = ["--add-ignore=" if argument == "--add-ignore" else argument for argument in arguments]
    # Paths may stand before, between and after options.
    return parser.parse_intermixed_args(arguments, argparse.Namespace(command=command))


def _parser(command: str) -> argparse.ArgumentParser | None:
    """What reads the arguments of a command; None where they are another program's."""
    _, add_arguments, description = _COMMANDS[command]
    if add_arguments is None:
        return None
    parser = _Parser(
        prog=f"jaxlint {command}",
        description=description,
        epilog="commands: " + "; ".join(f"{name}: {text}" for name, (_, _, text) in _COMMANDS.items()),
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
    add("--format", choices=tuple(_WRITERS), default="html", help="a page for a browser (default), or data")
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
    add("--platform", default="cpu", metavar="NAME", help="what JAX traces for under --dynamic (default: cpu)")
    add("--lower-for", type=_platforms, default=[], metavar="PLATFORMS", help="also compile for cuda, rocm or tpu")
    add("--dynamic-timeout", type=_seconds, default=30.0, metavar="SECONDS", help="for one import or one function")
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


_SETTINGS = frozenset(
    {
        "select",
        "ignore",
        "extend_select",
        "extend_ignore",
        "per_file_ignores",
        "exclude",
        "extend_exclude",
        "certainty",
        "jax_version",
        "baseline",
        "fix",
        "unsafe_fixes",
        "fixable",
        "unfixable",
    }
)
"""The options that are settings; the others are about this run only."""

_NARROWING = frozenset(
    {
        "select",
        "ignore",
        "extend_select",
        "extend_ignore",
        "per_file_ignores",
        "certainty",
        "jax_version",
        "isolated",
        "dynamic",
    }
)
"""The options with which a run may have other findings than the project's usual ones."""

_Command = tuple[Callable[[argparse.Namespace], int], Callable[[argparse.ArgumentParser], None] | None, str]
"""What runs, what adds its options (None: it reads its arguments itself), and what it is for."""

_COMMANDS: dict[str, _Command] = {
    "check": (check, _add_check, "find the sharp bits in JAX code without running it (the default)"),
    "baseline": (baseline, _add_baseline, "note what is found as known, so that only new findings are reported"),
    "report": (report, _add_report, "write a page with findings, code, and what is traced by what"),
    "rule": (rule, _add_rule, "explain a rule, or list all"),
    "why": (why, _add_why, "say what is known about a line"),
    "record": (record, None, "run a program or its tests and note its calls, as inputs for --dynamic"),
    "server": (server, _add_server, "the language server, for editors: diagnostics, fixes and more while you type"),
    "generate-shell-completion": (generate_shell_completion, _add_shell, "print completions for bash, fish or zsh"),
    "clean": (clean, _add_nothing, "remove cached results below the current folder"),
}


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
    if unknown := set(platforms) - {"cuda", "rocm", "tpu"}:
        raise argparse.ArgumentTypeError(f"expected cuda, rocm or tpu, found {', '.join(sorted(unknown))}")
    return platforms


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


def _unknown_rule(word: str) -> str:
    from jaxlint.configuration import did_you_mean
    from jaxlint.rules import all_rules

    known = [name for found in all_rules().values() for name in (found.code, found.name)]
    return f"unknown rule `{word}`{did_you_mean(word, known)}"


def _print_lines(lines: Iterable[str], out: TextIO | None = None) -> int:
    for line in lines:
        print(line, file=out or sys.stdout)
    return 0


def _never_fail_to_print(stream: TextIO) -> None:
    """Characters that a stream's encoding lacks are escaped; file names need not be text at all."""
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(errors="backslashreplace")


def _one_line(error: Exception) -> str:
    """An expected failure as it is; an unexpected one with the place it comes from, for a bug report."""
    from jaxlint.configuration import ConfigurationError
    from jaxlint.project.changes import ChangesError
    from jaxlint.project.discovery import MissingPathError

    expected = (UsageError, ConfigurationError, ChangesError, MissingPathError, OSError)
    if isinstance(error, expected):
        return str(error)
    frame = error.__traceback__
    while frame is not None and frame.tb_next is not None:
        frame = frame.tb_next
    place = f"{os.path.basename(frame.tb_frame.f_code.co_filename)}:{frame.tb_lineno}" if frame else "unknown"
    reason = str(error).splitlines()
    return f"internal error, please report it: {type(error).__name__}: {reason[0] if reason else ''} ({place})"
