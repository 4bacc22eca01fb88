"""The command `jaxlint`: arguments in, a report and an exit code out.

Exit codes: 0 nothing found, 1 findings, 2 the run itself failed or an input could not be read, 130 and 143 for a run
that Ctrl-C or SIGTERM has ended.
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
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NoReturn, TextIO

from jaxlint.command.arguments import (
    COMMANDS,
    NARROWING,
    REPORTS,
    SETTINGS,
    STDIN,
    WITHOUT_FIXES,
    UsageError,
    parse,
    parser_for,
)
from jaxlint.command.streams import flush, open_streams

if TYPE_CHECKING:
    from jaxlint.checks.spread import Crew
    from jaxlint.command.adoption import Shown
    from jaxlint.dynamic.launch import Options
    from jaxlint.fixes.fixing import Fixed
    from jaxlint.flow.observers.call_graph import Traces
    from jaxlint.project.program import Program
    from jaxlint.running.once import Run
    from jaxlint.running.watching import Watching
    from jaxlint.settings.configuration import Configuration
    from jaxlint.settings.resolved import Settings
    from jaxlint.vocabulary.findings import Finding, Location
    from jaxlint.vocabulary.work import Work


def command() -> NoReturn:
    """The process `jaxlint`: runs the command and leaves at once, without taking millions of objects apart."""
    open_streams()
    code = main()
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError):  # the reader may be gone, after Ctrl-C too
            stream.flush()
    os._exit(code)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command with these arguments (default: the process's own) and return its exit code."""
    # Syntax trees are millions of objects that live to the end: there is no garbage among them.
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
        try:
            options = parse(list(sys.argv[1:] if arguments is None else arguments))
            return _RUN[options.command](options)
        finally:
            flush()  # what --help prints, too
    except KeyboardInterrupt as interrupted:
        from jaxlint.report.text import error_line

        with contextlib.suppress(OSError):
            error_line(str(interrupted) or "interrupted")
        return 130
    except BrokenPipeError:
        # The reader has gone; keep the interpreter from complaining when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except Exception as error:
        from jaxlint.report.text import error_line

        with contextlib.suppress(OSError):
            error_line(_one_line(error))
        return 2


def check(options: argparse.Namespace) -> int:
    """Lint the paths and print what is found."""
    from jaxlint.running.once import Run

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
    work, crew = _work(options), _crew(options)
    run = Run.over(paths, _configuration(options), buffers, options.force_exclude, work)
    if options.show_files or options.show_settings:
        work.end()
        return _print_lines(run.files if options.show_files else _settings_of(run))
    settings = run.configuration.settings_for(run.configuration.cwd)
    _warn_of_paths(run, options)
    _print_lines(_without_effect(settings), sys.stderr)
    fixes = options.diff or settings.fix
    if options.since is not None and (fixes or buffers):
        what = "what is being fixed" if fixes else "standard input"
        raise UsageError(f"--since compares files as they lie there, not {what}")
    if options.add_ignore is not None and (fixes or buffers):
        raise UsageError("--add-ignore writes into files: not with fixes, nor into standard input")
    shown = _shown(run, options)
    run.crew = crew
    if fixes:
        return _fix(run, options, settings.unsafe_fixes, shown)
    if options.statistics:
        from jaxlint.flow.domain.met import Met

        run.met = Met()
    elif not options.no_cache:
        from jaxlint.running.memory import Memory

        run.memory = Memory(_cache_folder(options))
    tracing = _Tracing(options, run.work) if options.dynamic else None
    findings = shown(run.findings(tracing, fixes=options.output_format not in WITHOUT_FIXES))
    _warn(run)
    if options.add_ignore is not None:
        return _add_ignores(findings, run, options)
    _print_report(findings, run, options)
    _print_notes(shown, options)
    return _stopped(tracing, options) or _exit_code(findings, options)


def _work(options: argparse.Namespace) -> Work:
    """Who hears what a run does, if anybody."""
    from jaxlint.vocabulary.work import SILENT

    if options.verbose:
        from jaxlint.command.journal import Journal

        return Journal(sys.stderr, os.getcwd())
    if getattr(options, "quiet", False) or not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        return SILENT
    from jaxlint.command.progress import Progress

    return Progress(sys.stderr, os.getcwd())


def _crew(options: argparse.Namespace) -> Crew:
    """Who does the work.  Raises UsageError."""
    from jaxlint.running.crews import Cluster, Processes

    if options.executor == "processes":
        if options.scheduler is not None:
            raise UsageError("--scheduler is that of a cluster: only with --executor dask")
        return Processes(options.jobs or _cores())
    if options.scheduler is None:
        raise UsageError("--executor dask needs the address of a cluster: --scheduler ADDRESS")
    for name in ("jobs", "verbose", "statistics", "fix", "diff"):
        if getattr(options, name):
            raise UsageError(f"--{name} is for one machine: not with --executor dask")
    _need_extra("dask", "distributed")
    return Cluster(options.scheduler)


def _settings_of(run: Run) -> Iterator[str]:
    from jaxlint.command.settings_page import settings_page

    return settings_page(run)


def _warn_of_paths(run: Run, options: argparse.Namespace) -> None:
    """What was asked for, and the paths and patterns that match nothing."""
    from jaxlint.command.unmatched import unmatched
    from jaxlint.report.source import printable

    if not run.files and not run.closed:
        _print_lines(["warning: no Python files found under the given paths"], sys.stderr)
    _print_lines((f"warning: {printable(line)}" for line in unmatched(run, options)), sys.stderr)


def _watch(options: argparse.Namespace) -> int:
    """Report again whenever something changes, until the process is interrupted."""
    for name in ("fix", "fix_only", "diff", "dynamic", "show_files", "add_ignore"):
        if getattr(options, name) not in (None, False):
            raise UsageError(f"--watch only reports: not with --{name.replace('_', '-')}")
    if STDIN in options.paths:
        raise UsageError("--watch: standard input is no file")
    _need_extra("watch", "watchfiles")
    from jaxlint.running.watching import Watching

    watching = Watching(options.paths or ["."], _configuration(options), options.force_exclude)
    with contextlib.suppress(KeyboardInterrupt):  # there is no other way to end it
        _watch_forever(watching, options)
    return 130


def _watch_forever(watching: Watching, options: argparse.Namespace) -> None:
    for changed in watching:
        if sys.stdout.isatty():
            print("\033[2J\033[3J\033[H", end="")
        if changed:
            first = os.path.relpath(changed[0])
            _status(f"{first} changed" if len(changed) == 1 else f"{first} and {len(changed) - 1} more changed")
        _report_once(watching, options)
        gc.collect()  # nothing else happens until the next change


def _report_once(watching: Watching, options: argparse.Namespace) -> None:
    """The report as things are now; what keeps it from being made is one line, and may be mended while we watch."""
    from jaxlint.report.text import error_line

    start = time.perf_counter()
    try:
        run, found = watching.lint()
        shown = _shown(run, options)
        _warn(run)
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

    _print_lines([f"[{time.strftime('%H:%M:%S')}] {printable(text)}"], sys.stderr)


def _shown(run: Run, options: argparse.Namespace) -> Shown:
    """What of the findings is reported."""
    from jaxlint.command.adoption import Known, Shown

    known = None if options.no_baseline else Known.of(run)
    if options.since is None:
        return Shown(known)
    from jaxlint.project.changes import changes_since

    return Shown(known, changes_since(options.since, run.files))


def _add_ignores(findings: list[Finding], run: Run, options: argparse.Namespace) -> int:
    """Silence the findings by comments, and report those that cannot be."""
    from jaxlint.command.adoption import add_ignores
    from jaxlint.report.text import error_line

    done = add_ignores(run, findings, options.add_ignore)
    for failure in done.failures:
        error_line(failure)
    if not options.quiet:
        _print_lines([done.told], sys.stderr)
    if done.left:
        _print_report(done.left, run, options)
    return 2 if done.failures else _exit_code(done.left, options)


def _print_notes(shown: Shown, options: argparse.Namespace) -> None:
    """What baselines have hidden and lost, which only a run with the usual rules over files can say."""
    usual = not NARROWING & {name for name, value in vars(options).items() if value}
    notes = list(shown.notes(update=usual and STDIN not in options.paths))
    if not options.quiet:
        _print_lines(notes, sys.stderr)


def _without_effect(settings: Settings) -> Iterator[str]:
    """Of each rule that is selected by itself and off all the same, as it is in preview."""
    from jaxlint.vocabulary.rules import find_rule

    for selector in (*settings.select, *settings.extend_select):
        rule = find_rule(selector)
        if rule is not None and rule.is_preview and not settings.preview:
            yield f"warning: {rule.code} is in preview: it has no effect without `--preview` or `preview = true`"


def _warn(run: Run) -> None:
    """What of the surroundings of the sources could not be taken into account."""
    from jaxlint.report.source import printable

    _print_lines((f"warning: {printable(problem)}" for problem in run.problems), sys.stderr)


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
    from jaxlint.running.memory import OwnMemory

    run.memory = OwnMemory()  # each pass looks into what the one before has changed
    fixed = fixing.fix(lambda _: shown(run.findings()), run.documents, fixing.accepted(unsafe))
    _warn(run)
    sources = Sources(run.documents, run.configuration.cwd)
    if options.diff:
        _print_lines(fixes.diff(fixed, sources))
        if not options.quiet:
            _print_lines([fixes.would_fix(fixed)], sys.stderr)
        return 1 if fixed.applied and not options.exit_zero else 0
    stdin = options.stdin_filename or STDIN if STDIN in options.paths else None
    if stdin is not None:
        return _fix_stdin(fixed, run, options, os.path.realpath(os.path.join(run.configuration.cwd, stdin)))
    failed = 0
    for path, reason in fixing.write(fixed):
        error_line(f"{path}: not fixed: {reason}")
        failed = 2
    left = fixed.left
    tracing = _Tracing(options, run.work) if options.dynamic else None
    if tracing is not None:
        left = shown(type(run).over(options.paths or ["."], run.configuration).findings(tracing))
    if options.show_fixes:
        _print_lines(fixes.listing(fixed, sources))
    _print_report([] if options.fix_only else left, run, options, len(fixed.applied))
    _print_notes(shown, options)
    if stopped := _stopped(tracing, options):
        return stopped
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
    """A report into a file, in one step where that is possible.  Raises UsageError, and then the file is as it was."""
    from jaxlint.files.reading import reason_of
    from jaxlint.files.writing import overwrite_file, replace_file

    try:
        if os.path.exists(path) and not os.path.isfile(path):
            with open(path, "wb") as file:  # a pipe, a device
                file.write(data)
            return
        try:
            replace_file(path, data)
        except PermissionError:
            if not os.path.exists(path):
                raise
            overwrite_file(path, data)  # it may be allowed in a folder that takes no other file
    except (OSError, ValueError) as error:
        raise UsageError(f"{path}: cannot be written: {reason_of(error)}") from None


def _workers(options: argparse.Namespace) -> tuple[Options, dict[str, str]]:
    """How user code is to be run, and the versions it runs with.  Raises UsageError where it cannot be."""
    from dataclasses import replace

    from jaxlint.dynamic.broker import MissingPlatform, Options, Unavailable, jax_versions, platform_there

    asked = {"lower_for": tuple(options.lower_for or ()), "timeout": options.dynamic_timeout}
    chosen = Options(budget=options.dynamic_budget, **{name: value for name, value in asked.items() if value})
    try:
        versions = jax_versions(chosen)
        if options.platform is not None:
            chosen = replace(chosen, platform=platform_there(options.platform, chosen))
    except MissingPlatform as error:
        raise UsageError(f"--platform: {error}") from None
    except Unavailable as error:
        raise UsageError(f"--dynamic: {error}; pip install 'jaxlint-sharp-bits[dynamic]'") from None
    return chosen, versions


def _cache_folder(options: argparse.Namespace) -> str | None:
    """The folder that results are kept in; None where each program has its own."""
    chosen: str | None = options.cache_dir or os.environ.get("JAXLINT_CACHE_DIR")
    return os.path.abspath(chosen) if chosen else None


class _Tracing:
    """What turns findings into findings with verdicts.  Raises UsageError where dynamic mode cannot run."""

    def __init__(self, options: argparse.Namespace, work: Work) -> None:
        from jaxlint.dynamic.boundary import offered
        from jaxlint.dynamic.progress import Progress
        from jaxlint.dynamic.stopping import Stop

        self._options, self._versions = _workers(options)
        if work.hears_all:
            jax, python = self._versions["jax"], self._versions["python"]
            work.told(f"tracing with jax {jax}, Python {python}, on {self._options.platform}")
            work.told(offered(self._options.platform).told())
        self._progress = Progress(quiet=options.quiet)
        self._caches = not options.no_cache
        self._folder = _cache_folder(options)
        self.stop = Stop()

    def __call__(self, program: Program, findings: list[Finding], traced: list[Location]) -> list[Finding]:
        from jaxlint.dynamic.cache import Cache
        from jaxlint.dynamic.prove import prove
        from jaxlint.files.store import FOLDER

        jax, python = self._versions["jax"], self._versions["python"]
        folder = self._folder or os.path.join(program.root, FOLDER)
        cache = Cache(folder, f"jax {jax} python {python}") if self._caches else None
        return prove(program, findings, traced, self._options, jax, self._progress, cache, self.stop)


def _stopped(tracing: _Tracing | None, options: argparse.Namespace) -> int:
    """Says what a run had no time to trace; the exit code of one that was interrupted, 0 of any other."""
    if tracing is None:
        return 0
    if not options.quiet and (told := tracing.stop.told()):
        print(f"warning: {told}", file=sys.stderr)
    return tracing.stop.exit_code


def report(options: argparse.Namespace) -> int:
    """Write findings, and what is traced by what, as one page or as JSON."""
    from jaxlint.flow.observers.call_graph import CallGraph
    from jaxlint.running.once import Run

    if options.format == "html":
        _need_extra("report", "markdown_it", "pygments")
    paths, work = options.paths or ["."], _work(options)
    run = Run.over(paths, _configuration(options), force_exclude=options.force_exclude, work=work)
    _warn_of_paths(run, options)
    graph = CallGraph()
    tracing = _Tracing(options, run.work) if options.dynamic else None
    findings = run.findings(tracing, graph)
    _warn(run)
    asked = {os.path.realpath(path) for path in run.files}
    traces = {root: calls for root, calls in graph.traces().items() if os.path.realpath(root.place.path) in asked}
    text = _WRITERS[options.format](findings, traces, run)
    output = options.output_file or f"jaxlint-report.{options.format}"
    if output == STDIN:
        sys.stdout.write(text)
        return _stopped(tracing, options)
    _write(output, text.encode("utf-8", "replace"))
    if not options.quiet:
        functions = {call.callee for calls in traces.values() for call in calls} | {root.function for root in traces}
        print(f"wrote {output}: {_count(len(findings), 'finding')}, {_count(len(functions), 'traced function')}")
    return _stopped(tracing, options)


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
    from jaxlint.command.completion import SHELLS, command

    _know_own_rules()
    known = [command(name, text, parser_for(name)) for name, (_, text) in COMMANDS.items()]
    return _print_lines(SHELLS[options.shell](known))


def clean(options: argparse.Namespace) -> int:
    """Remove the cached results below the current folder's programs, or those in the folder that is named."""
    from jaxlint.files.store import forget

    chosen = _cache_folder(options)
    for folder in _caches_below(".") if chosen is None else (chosen,):
        if forget(folder):
            print(f"removed {os.path.relpath(folder)}")
    return 0


def _caches_below(top: str) -> Iterator[str]:
    from jaxlint.files.store import FOLDER

    for folder, below, _ in os.walk(top):
        if FOLDER in below:
            below.remove(FOLDER)
            yield os.path.join(folder, FOLDER)


def init(options: argparse.Namespace) -> int:
    """Set a project up, as far as somebody agrees; without a terminal only say what that would be."""
    from jaxlint.command import init as proposing

    folder = os.getcwd()
    agrees = _agreement(options.yes)
    for propose in (proposing.configuration, proposing.hook):
        proposal = propose(folder)
        if proposal is None:
            continue
        _print_lines(proposing.shown(proposal, folder))
        if proposal.data is not None and agrees():
            _write(proposal.path, proposal.data)
            print("written")
    return _init_baseline(agrees)


def _agreement(is_given: bool) -> Callable[[], bool]:
    """Asks whether what was just shown is to be done."""
    if is_given:
        return lambda: True
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        print("Nothing is written without a terminal to ask on, or --yes. This is what would be:")
        return lambda: False

    def asked() -> bool:
        print("Write this? [Y/n] ", end="", flush=True)
        answer = sys.stdin.readline()
        return bool(answer) and answer.strip().lower() in ("", "y", "yes")

    return asked


def _init_baseline(agrees: Callable[[], bool]) -> int:
    """Offer a baseline where there are findings and none is there."""
    from jaxlint.command.adoption import baseline_files, settle
    from jaxlint.report.source import Sources
    from jaxlint.running.once import Run
    from jaxlint.settings.configuration import Configuration

    run = Run.over(["."], Configuration(os.getcwd()))
    findings = run.findings()
    _warn(run)
    sources = Sources(run.documents, run.configuration.cwd)
    paths = [path for path in baseline_files(run) if not os.path.lexists(path)]
    if not findings:
        print("nothing is found: no baseline is needed")
    elif not paths:
        print("there is a baseline already")
    else:
        found = _count(len(findings), "finding")
        print(f"{sources.shown_path(paths[0])}: a baseline of {found}, so that only new ones are reported")
        if agrees():
            for settled in settle(run, findings, grow=False):
                print(f"{sources.shown_path(settled.baseline.path)}: {settled.told}")
    return 0


def _cores() -> int:
    """How many this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def baseline(options: argparse.Namespace) -> int:
    """Note what is found now as known, or take out of the notes what is gone."""
    from jaxlint.command.adoption import settle
    from jaxlint.report.source import Sources
    from jaxlint.report.text import Paint, concise, wants_colour
    from jaxlint.running.once import Run

    paths, work = options.paths or ["."], _work(options)
    run = Run.over(paths, _configuration(options), force_exclude=options.force_exclude, work=work)
    findings = run.findings()
    _warn(run)
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
    from jaxlint.vocabulary.rules import all_rules, find_rule

    found = find_rule(options.rule) if options.rule is not None else None
    if found is None:  # no rule of jaxlint's: settings say which others there are
        _know_own_rules()
    chosen = list(all_rules().values())
    if options.rule is not None:
        found = found or find_rule(options.rule)
        if found is None:
            raise UsageError(_unknown_rule(options.rule))
        chosen = [found]
    if options.output_format == "json":
        print(pages.as_json(chosen, single=options.rule is not None))
        return 0
    return _print_lines(pages.full(chosen) if options.rule or options.all else pages.listing(chosen))


def _know_own_rules() -> None:
    """Rules that the user has written are rules, too: those of packages, and those of the project around."""
    from jaxlint.settings.configuration import Configuration, ConfigurationError

    configuration = Configuration(os.getcwd())
    with contextlib.suppress(ConfigurationError):  # a page can be read whatever is wrong with a project
        configuration.settings_for(configuration.cwd)


def test_rule(options: argparse.Namespace) -> int:
    """Run a rule of the user's over the examples on its card."""
    from jaxlint.command import rule_tests
    from jaxlint.report.source import printable

    tested = rule_tests.test_rule(options.card)
    for failure in tested.failures:
        print("\n".join(map(printable, failure.split("\n"))))
    told = _count(len(tested.failures), "failure") if tested.failures else "all as the card says"
    print(f"{tested.rule.code} {tested.rule.rule.name}: {_count(tested.examples, 'example')}, {told}")
    return 1 if tested.failures else 0


def why(options: argparse.Namespace) -> int:
    """Print what the linter knows about one line: by whom it is traced, what its names are."""
    from jaxlint.checks.why import NoSuchLine, explain_line
    from jaxlint.report.source import printable
    from jaxlint.running.once import Run
    from jaxlint.vocabulary.findings import Location

    asked_for = re.fullmatch(r"(.+?)(?::cell (\d+))?:(\d+)", options.place)
    if asked_for is None:
        raise UsageError(f"{options.place}: expected FILE:LINE, such as train.py:12 or 'demo.ipynb:cell 3:12'")
    path, cell, line = asked_for[1], int(asked_for[2] or 0), int(asked_for[3])
    if os.path.isdir(path):
        raise UsageError(f"{path} is a folder: expected FILE:LINE, such as train.py:12")
    work = _work(options)
    run = Run.over([path], _configuration(options), work=work)
    for program in run.programs():
        for asked in program.requested:
            file = program.by_path[asked].path
            try:
                told = explain_line(program, program.settings, file, line, cell, work)
            except NoSuchLine as error:
                raise UsageError(str(error)) from None
            finally:
                work.end()
            _print_lines(map(printable, told))
            if options.dynamic:
                _print_lines(map(printable, _traced_line(program, Location(file, line, 0), options)))
    return 0


def _traced_line(program: Program, place: Location, options: argparse.Namespace) -> list[str]:
    from jaxlint.dynamic.progress import Progress
    from jaxlint.dynamic.prove import explain

    chosen, versions = _workers(options)
    return explain(program, place, chosen, versions["jax"], Progress())


def _report(findings: list[Finding], run: Run, options: argparse.Namespace, out: TextIO, fixed: int = 0) -> None:
    from jaxlint.report import text
    from jaxlint.report.source import Sources

    sources = Sources(run.documents, run.configuration.cwd)
    if options.output_format in REPORTS:
        writer = importlib.import_module(f"jaxlint.report.{options.output_format}")
        _print_lines(writer.report(findings, sources), out)
        return
    if options.statistics:
        from jaxlint.report import statistics
    if options.output_format in ("json", "json-lines"):
        from jaxlint.report import data

        if options.statistics:
            print(statistics.as_json(findings, run.met), file=out)
        elif options.output_format == "json":
            print(data.as_json(findings), file=out)
        else:
            _print_lines(data.as_json_lines(findings), out)
        return
    paint = text.Paint(text.wants_colour(out))
    unsafe = run.configuration.settings_for(run.configuration.cwd).unsafe_fixes
    if options.statistics:
        _print_lines(statistics.table(findings, run.met), out)
    else:
        write = text.full if options.output_format == "full" else text.concise
        _print_lines(write(findings, sources, paint, unsafe), out)
    if not options.quiet:
        _print_lines(text.summary(findings, fixed, unsafe), out)


def _configuration(options: argparse.Namespace) -> Configuration:
    """The configuration with the command line's values, under the names they have in a file."""
    from jaxlint.settings.configuration import Configuration

    values = {name.replace("_", "-"): value for name, value in vars(options).items() if name in SETTINGS}
    overrides = {name: value for name, value in values.items() if value is not None}
    cards = tuple(getattr(options, "rules", None) or ())
    return Configuration(os.getcwd(), overrides, options.config, options.isolated, cards=cards)


_RUN: dict[str, Callable[[argparse.Namespace], int]] = {
    "check": check,
    "init": init,
    "baseline": baseline,
    "report": report,
    "rule": rule,
    "test-rule": test_rule,
    "why": why,
    "record": record,
    "server": server,
    "generate-shell-completion": generate_shell_completion,
    "clean": clean,
}


def _unknown_rule(word: str) -> str:
    from jaxlint.vocabulary.rules import all_rules
    from jaxlint.vocabulary.words import did_you_mean

    known = [name for found in all_rules().values() for name in (found.code, found.name)]
    return f"unknown rule `{word}`{did_you_mean(word, known)}"


def _print_lines(lines: Iterable[str], out: TextIO | None = None) -> int:
    if out is sys.stderr:
        sys.stdout.flush()  # in a log, or under pre-commit, both go to one place, and what comes last is read last
    for line in lines:
        print(line, file=out or sys.stdout)
    return 0


def _never_fail_to_print(stream: TextIO) -> None:
    """Characters that a stream's encoding lacks are escaped; file names need not be text at all."""
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(errors="backslashreplace")


def _one_line(error: Exception) -> str:
    """An expected failure as it is; an unexpected one with the place it comes from, for a bug report."""
    from jaxlint.checks.spread import CrewError
    from jaxlint.files.reading import reason_of
    from jaxlint.project.changes import ChangesError
    from jaxlint.project.discovery import MissingPathError
    from jaxlint.settings.configuration import ConfigurationError

    if isinstance(error, (UsageError, ConfigurationError, ChangesError, MissingPathError, CrewError)):
        return str(error)
    if isinstance(error, OSError):
        return ": ".join(str(part) for part in (error.filename, reason_of(error)) if part)
    frame = error.__traceback__
    while frame is not None and frame.tb_next is not None:
        frame = frame.tb_next
    place = f"{os.path.basename(frame.tb_frame.f_code.co_filename)}:{frame.tb_lineno}" if frame else "unknown"
    reason = str(error).splitlines()
    return f"internal error, please report it: {type(error).__name__}: {reason[0] if reason else ''} ({place})"
