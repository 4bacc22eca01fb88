"""JUnit's XML in the form that Jenkins defines: a suite for each file, a failed test case for each finding."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from xml.etree import ElementTree as xml

from jaxlint.report.plain import explained, located
from jaxlint.report.source import Sources
from jaxlint.vocabulary.findings import Finding

_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What XML 1.0 cannot contain, not even escaped."""


def report(findings: Sequence[Finding], sources: Sources) -> Iterator[str]:
    """One XML document in ASCII.  Without findings it has one test, which passes: an empty report counts as none."""
    top = _element("testsuites", name="jaxlint", **_counts(findings))
    if not findings:
        suite = xml.SubElement(top, "testsuite", _attributes(name="jaxlint", tests=1, failures=0, errors=0))
        xml.SubElement(suite, "testcase", _attributes(name="no findings", classname="jaxlint", time="0"))
    for path, group in groupby(findings, key=lambda finding: finding.path):
        top.append(_suite(sources.shown_path(path), list(group), sources))
    xml.indent(top)
    yield xml.tostring(top, encoding="us-ascii", xml_declaration=True).decode("ascii")


def _suite(path: str, findings: list[Finding], sources: Sources) -> xml.Element:
    suite = _element("testsuite", name=path, file=path, **_counts(findings))
    name = os.path.splitext(path)[0].replace("/", ".").replace(os.sep, ".")
    for finding in findings:
        where = sources.shown_place(finding.location)
        title = f"{finding.code} {finding.name} {where.removeprefix(path).lstrip(':')}"
        case = xml.SubElement(suite, "testcase", _attributes(name=title, classname=name, time="0"))
        outcome = "error" if _is_error(finding) else "failure"
        attributes = _attributes(message=located(finding), type=finding.severity.value)
        problem = xml.SubElement(case, outcome, attributes)
        problem.text = _allowed("\n".join([f"{where}: {finding.code}", *explained(finding, sources)]))
    return suite


def _counts(findings: Sequence[Finding]) -> dict[str, int]:
    errors = sum(map(_is_error, findings))
    return {"tests": max(len(findings), 1), "failures": len(findings) - errors, "errors": errors}


def _is_error(finding: Finding) -> bool:
    """Whether nothing is known of the code because the file could not be read."""
    return finding.code == "JAX002"


def _element(tag: str, **attributes: object) -> xml.Element:
    return xml.Element(tag, _attributes(**attributes))


def _attributes(**attributes: object) -> dict[str, str]:
    return {name: _allowed(str(value)) for name, value in attributes.items()}


def _allowed(text: str) -> str:
    return _FORBIDDEN.sub(lambda match: f"\\x{ord(match[0]):02x}", text)
