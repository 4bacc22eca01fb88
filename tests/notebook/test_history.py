"""Which cells make up the program that a kernel has run."""

from __future__ import annotations

from jaxlint.notebook import history
from jaxlint.notebook.history import History


def made(*cells: tuple[int, str, bool]) -> History:
    known = History()
    for cell in cells:
        known.add(*cell)
    return known


def numbers(known: History) -> list[int]:
    return [cell.number for cell in known.cells]


def test_a_cell_that_is_run_again_is_there_twice() -> None:
    assert numbers(made((1, "a = 1", False), (2, "b = a", False), (3, "a = 1", False))) == [1, 2, 3]


def test_what_python_cannot_read_has_not_been_run() -> None:
    assert numbers(made((1, "a = ", False), (2, "%%bash\nls (", False), (3, "!ls\na = 1", False))) == [2, 3]


def test_numbers_that_start_again_are_another_session() -> None:
    assert numbers(made((1, "a = 1", False), (7, "%reset -f", False), (2, "b = 1", False))) == [2]


def test_a_cell_told_of_twice_is_there_once() -> None:
    known = made((1, "a = 1", False), (2, "%load_ext jaxlint", False), (2, "%load_ext jaxlint", True))
    assert numbers(known) == [1, 2]
    assert known.cells[1].may_raise


def test_only_an_earlier_exception_is_expected() -> None:
    known = made((1, "a = 1 / 0", True), (2, "b = 1 / 0", True))
    assert [cell.may_raise for cell in known.seen_from(2)] == [True, False]
    assert [cell.may_raise for cell in known.seen_from(3)] == [True, True]


def sources(known: History) -> list[str]:
    return [cell.source for cell in known.cells]


LONG = "x = 1\n" * (history.MOST_LINES // 2 - 9)


def test_of_many_lines_what_was_done_again_is_forgotten() -> None:
    known = made((1, "import jax", False), (2, LONG, False), (3, "y = x", False), (4, LONG, False))
    assert sources(known) == ["import jax", LONG, "y = x", LONG]
    known.add(5, LONG, False)
    assert sources(known) == ["import jax", "x = get_ipython()", "y = x", "x = get_ipython()", LONG]


def test_what_defines_the_same_does_the_same_again() -> None:
    first = f"import numpy as np\ndef f(x):\n    return x\nstate.n = np.ones(3)\n{LONG}"
    known = made((1, first, False), (2, f"{LONG}\nimport numpy as np\nf = 3", False), (3, "import jax", False))
    known.add(4, "y = 1\n" * 19, False)
    assert sources(known)[0] == "import numpy as np\nf = state = x = get_ipython()"


def test_what_was_done_once_is_kept() -> None:
    known = made((1, LONG.replace("x", "a"), False), (2, LONG.replace("x", "b"), False), (3, LONG, False))
    assert [cell.source.count("\n") for cell in known.cells] == [LONG.count("\n")] * 3
