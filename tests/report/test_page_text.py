"""The page that `jaxlint report` writes, read without a browser: its words, its links, its pictures."""

from __future__ import annotations

from pathlib import Path

from jaxlint.project.documents import Document
from jaxlint.report.page.build import Page
from jaxlint.report.source import Sources
from jaxlint.vocabulary.findings import Applicability as Kind
from jaxlint.vocabulary.findings import Certainty, Edit, Finding, Fix, Location, Severity
from tests.report.page_text import Element, place, read
from tests.report.test_page import HOSTILE, TRAINING, write


def page_of(folder: Path, files: dict[str, str]) -> Element:
    write(folder, files)
    return read((folder / "jaxlint-report.html").read_text(encoding="utf-8"))


def page_about(text: str, *findings: Finding) -> Element:
    sources = Sources({"/p/m.py": Document("/p/m.py", text)}, "/p")
    return read(Page("p", list(findings), {}, sources, "now").html())


def section(page: Element, name: str) -> Element:
    (found,) = (each for each in page.all("section") if each.attributes.get("id") == name)
    return found


def test_what_is_counted_and_listed(tmp_path: Path) -> None:
    page = page_of(tmp_path, {"train.py": TRAINING, "pkg/again.py": TRAINING, "fine.py": "x = 1\n"})
    tiles = [(tile.one("dd").text, tile.one("dt").text) for tile in page.one("dl").all("div")]
    assert tiles == [
        ("2", "findings"),
        ("2", "warnings"),
        ("2", "files with findings"),
        ("4", "transforms applied"),
        ("12", "functions traced"),
    ]
    assert page.one("nav").lines == [
        *("Findings", "pkg/again.py 1", "train.py 1"),
        *("What is traced", "pkg/again.py 2", "train.py 2"),
        *("Rules", "JAX101 print-in-traced-function 2", "Sources"),
    ]
    assert [each.text for each in page.all("details.source") for each in each.all("summary")] == [
        "pkg/again.py",
        "train.py",
    ]


def test_a_finding_with_its_reasons_and_its_fix(tmp_path: Path) -> None:
    finding = page_of(tmp_path, {"train.py": TRAINING}).one("article")
    assert finding.lines == [
        "JAX101 print-in-traced-function",
        "train.py:10:5",
        "print runs once, while JAX traces, and shows the tracer instead of its value",
        "9def loss(params, x):",
        '10    print("loss of", x)',
        "11    return act(x @ params).sum()",
        'help use jax.debug.print("x = {}", x), which prints at run time',
        "fix Use jax.debug.print unsafe",
        "@@ -9,3 +9,3 @@",
        " def loss(params, x):",
        '-    print("loss of", x)',
        '+    jax.debug.print("loss of {}", x)',
        "     return act(x @ params).sum()",
        "jax.jit is applied here train.py:14",
        "14@jax.jit",
        "jax.lax.scan traces its function here train.py:19",
        "19    return jax.lax.scan(body, params, xs)",
        "element of scan train.py:19",
        "19    return jax.lax.scan(body, params, xs)",
        "runs under jit of fit",
    ]
    assert finding.all("span.here")[0].text == '10    print("loss of", x)\n'
    frames = [frame for frame in finding.all("pre.code") if "diff" not in frame.attributes["class"]]
    assert ["".join(mark.text for mark in frame.all(".mark")) for frame in frames] == [
        'print("loss of", x)',
        "jax.jit",
        "jax.lax.scan(body, params, xs)",
        "jax.lax.scan(body, params, xs)",
    ]


def test_what_is_traced_by_what(tmp_path: Path) -> None:
    traces = section(page_of(tmp_path, {"train.py": TRAINING}), "traces")
    assert [each.attributes["class"] for each in traces.all("details") if "open" in each.attributes] == [
        "group",
        "trace",
        "trace",
    ]
    assert [each.lines[:5] for each in traces.all("details.trace")] == [
        ["jitfit1 finding", "4 functions", "line 14", "applied at train.py:14, to a function at", "train.py:15"],
        ["jitvmapevaluate", "3 functions", "line 31", "applied at train.py:31, to a function at", "train.py:22"],
    ]
    fit, evaluate = traces.all("svg")
    assert [(box.one("title").text, box.attributes["class"], place(box)) for box in fit.all("g")] == [
        ("fit — train.py:15", "box compile", (12, 36, 122, 40)),
        ("fit.body — train.py:16", "box loop", (190, 36, 128, 40)),
        ("loss — train.py:9", "box derive found", (374, 12, 122, 40)),
        ("act — train.py:5", "box plain", (374, 60, 88, 40)),
        ("act — train.py:5", "box plain again", (552, 12, 53, 22)),
    ]
    assert [(box.text.removeprefix(box.one("title").text), place(box)[:2]) for box in evaluate.all("g")] == [
        ("evaluatejit ∘ vmap train.py:22", (12, 36)),
        ("logcallback train.py:27", (235, 12)),
        ("acttrain.py:5", (235, 60)),
    ]
    assert [edge.attributes["d"] for edge in evaluate.all("path")] == [
        "M179 56C207 56 207 32 235 32",
        "M179 56C207 56 207 80 235 80",
    ]
    assert [(svg.attributes["width"], svg.attributes["height"]) for svg in (fit, evaluate)] == [
        ("628", "112"),
        ("413", "112"),
    ]
    assert [badge.text for badge in fit.all("text.count")] == ["1"]


def test_boxes_stand_beside_each_other(tmp_path: Path) -> None:
    names = [f"part_{number}_" + "of" * number for number in range(9)]
    helpers = "".join(f"def {name}(x):\n    return low(x) + {number}\n\n\n" for number, name in enumerate(names))
    calls = " + ".join(f"{name}(x)" for name in names)
    program = f"import jax\n\n\ndef low(x):\n    return x\n\n\n{helpers}@jax.jit\ndef top(x):\n    return {calls}\n"
    (picture,) = page_of(tmp_path, {"m.py": program}).all("svg")
    boxes = list(map(place, picture.all("g")))
    assert len(boxes) == 1 + 9 + 9
    width, height = int(picture.attributes["width"]), int(picture.attributes["height"])
    for index, (left, top, wide, high) in enumerate(boxes):
        assert 0 < left < left + wide < width
        assert 0 < top < top + high < height
        for left2, top2, wide2, high2 in boxes[:index]:
            assert left + wide < left2 or left2 + wide2 < left or top + high < top2 or top2 + high2 < top
    assert boxes[0][1] + 20 == (boxes[1][1] + boxes[9][1]) / 2 + 20


def test_long_names_keep_their_ends(tmp_path: Path) -> None:
    inner, longest = "a_function_inside_of_the_outer_one", "n" * 35
    program = (
        f"import jax\n\n\ndef {longest}(x):\n    return x\n\n\n@jax.jit\ndef outer_function(x):\n"
        f"    def {inner}(x):\n        return {longest}(x)\n    return {inner}(x)\n"
    )
    (picture,) = page_of(tmp_path, {"m.py": program}).all("svg")
    assert [name.text for name in picture.all("text.name")] == ["outer_function", f"…{inner[:32]}…", "n" * 33 + "…"]


def test_every_link_leads_to_something(tmp_path: Path) -> None:
    page = page_of(tmp_path, {"train.py": TRAINING, "other.py": TRAINING})
    names = [each.attributes["id"] for each in page.all("") if "id" in each.attributes]
    assert len(names) == len(set(names))
    links = {link.attributes["href"] for link in page.all("a") if link.attributes["href"].startswith("#")}
    assert {link[1:] for link in links} <= set(names)
    assert {"#f1", "#f2", "#file-2", "#traces-2", "#r1", "#r3", "#rule-JAX101", "#s1-10", "#s2-10"} <= links
    lines = {line.attributes["id"]: line.text for line in page.all("span.l") if "id" in line.attributes}
    assert lines["s2-10"] == '10    print("loss of", x)\n'
    assert [link.text for link in section(page, "rules").all("p")[0].all("a")] == ["other.py:10", "train.py:10"]


def test_of_large_files_the_page_has_what_leads_there(tmp_path: Path) -> None:
    filler = "".join(f"value_{number} = other.attribute[{number}] + 1\n" for number in range(3000))
    small = page_of(tmp_path, {"train.py": TRAINING})
    large = page_of(tmp_path, {"train.py": filler + TRAINING + filler})
    size = (tmp_path / "jaxlint-report.html").stat().st_size
    whole, part = (section(page, "sources").all("span.l") for page in (small, large))
    assert len(whole) == TRAINING.count("\n") + 1
    assert len(part) < len(whole) + 20
    assert [line.text for line in part if "gap" in line.attributes["class"]] == ["⋮\n"]
    assert size < 60_000
    links = {link.attributes["href"][1:] for link in large.all("a") if link.attributes["href"].startswith("#s1-")}
    assert links == {line.attributes["id"] for line in part if "id" in line.attributes}


def test_a_long_path_keeps_the_name_of_the_file(tmp_path: Path) -> None:
    path = "a_package/with_folders/of_long_names/train.py"
    page = page_of(tmp_path, {path: TRAINING})
    link = page.all("a.path")[0]
    assert link.attributes["title"] == path
    assert [part.text for part in link.all("span")] == ["a_package/with_folders/of_long_names", "/train.py"]


def test_nothing_to_report() -> None:
    page = page_about("x = 1\n")
    assert [tile.text for tile in page.one("dl").all("div")] == [
        "findings0",
        "files with findings0",
        "transforms applied0",
        "functions traced0",
    ]
    assert section(page, "findings").lines == ["Findings", "Nothing was found."]
    assert section(page, "traces").lines[1:] == ["No transform is applied to a function of these files."]
    assert [section.attributes["id"] for section in page.all("section")] == ["findings", "traces", "sources"]


def test_a_frame_without_blank_edges() -> None:
    text = "zero = 0\n\none = 1\ntwo = f(3,\n  4)\n\n\nthree = 3\n"
    found = Finding("JAX401", "key-reused", "a `b` c", Location("/p/m.py", 4, 7, 5, 5), Severity.ERROR)
    page = page_about(text, found)
    assert page.one("article").one("pre").one("code").text == "3one = 1\n4two = f(3,\n5  4)\n"
    assert "".join(mark.text for mark in page.one("article").all(".mark")) == "f(3,4)"
    assert [code.text for code in page.one("article").one("p").all("code")] == ["b"]
    odd = page_about(text, Finding("JAX401", "key-reused", "a ` b", Location("/p/m.py", 1, 1, 1, 5)))
    assert odd.one("article").one("p").text == "a ` b"


def test_a_place_without_length_or_out_of_the_text() -> None:
    def article(*at: int) -> Element:
        return page_about("x = 1\n", Finding("JAX001", "n", "m", Location("/p/m.py", *at))).one("article")

    assert [mark.text for mark in article(1, 6).all(".mark")] == [" "]
    assert [mark.text for mark in article(1, 3).all(".mark")] == ["="]
    assert article(9, 1).all("pre") == []


def test_only_the_beginning_of_a_long_range_is_shown() -> None:
    text = "".join(f"x{number}\n" for number in range(1, 60))
    page = page_about(text, Finding("JAX001", "n", "m", Location("/p/m.py", 5, 1, 50, 3)))
    numbers = [line.one("i").text for line in page.one("article").all("span.l")]
    assert (numbers[0], numbers[-1]) == ("3", "19")


def test_what_is_less_than_certain_says_so() -> None:
    place = Location("/p/m.py", 1, 1, 1, 2)
    chips = [
        [chip.text for chip in page_about("x\n", Finding("JAX401", "n", "m", place, certainty=each)).all("span.chip")]
        for each in (Certainty.CERTAIN, Certainty.LIKELY, Certainty.POSSIBLE)
    ]
    assert chips == [[], ["likely"], ["possible"]]


def test_a_fix_of_several_places_is_one_diff() -> None:
    edits = tuple(Edit(Location("/p/m.py", line, 1, line, 2), "long") for line in (1, 3))
    fix = Fix("Say more", Kind.SAFE, edits)
    page = page_about("a = 1\nb = 2\nc = 3\n", Finding("JAX401", "n", "m", Location("/p/m.py", 1, 1, 1, 2), fix=fix))
    assert page.one("div.fix").lines == [
        "fix Say more safe",
        *("@@ -1,3 +1,3 @@", "-a = 1", "+long = 1", " b = 2", "-c = 3", "+long = 3"),
    ]


def test_long_lines_are_cut_around_the_place(tmp_path: Path) -> None:
    program = (
        f'import jax\n\n\n@jax.jit\ndef f(x):\n    y = "{"a" * 1000}"; print(x); z = "{"b" * 1000}"\n    return x\n'
    )
    page = page_of(tmp_path, {"long.py": program})
    line = page.one("article").all("span.here")[0].text
    assert line.startswith("6aaa")
    assert line.rstrip("\n").endswith("bbb…")
    assert len(line.rstrip("\n")) == len("6") + 400 + len("…")
    assert line.index("print(x)") == len("6") + 100
    assert page.one("article").all(".mark")[0].text == "print(x)"


def test_source_text_stays_text(tmp_path: Path) -> None:
    page = page_of(tmp_path, {"<img>.py": HOSTILE})
    assert page.all("img") == page.all("b.bold") == []
    shown = page.one("article").all("span.here")[0]
    assert "</script><script>document.title='owned'</script><img src=x onerror=alert(1)>" in shown.text
    assert "\u202e" not in shown.text
    assert [head.text for head in section(page, "findings").all("h3")] == ["<img>.py 1"]


def test_many_roots_start_folded_and_are_not_all_named(tmp_path: Path) -> None:
    roots = "".join(f"@jax.jit\ndef f{number}(x):\n    return g(x)\n\n\n" for number in range(80))
    page = page_of(tmp_path, {"m.py": f"import jax\n\n\ndef g(x):\n    print(x)\n    return x\n\n\n{roots}"})
    opened = [each for each in page.all("details.trace") if "open" in each.attributes]
    assert (len(page.all("details.trace")), len(opened)) == (80, 4)
    assert all("open" in each.attributes for each in page.all("details.group"))
    under = page.one("article").one("p.under").text
    assert under == "runs under jit of f0, jit of f1, jit of f2, jit of f3, jit of f4 and 75 more"
