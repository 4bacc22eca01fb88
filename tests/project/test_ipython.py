"""Cells as IPython takes them, and the Python that stands for them."""

from __future__ import annotations

import ast

import pytest

from jaxlint.project.ipython import plain_python

PLAIN = {
    "python": ("x = 1\ny", "x = 1\ny"),
    "magic": ("%matplotlib inline\nx", "pass\nx"),
    "magic in a block": ("if x:\n    %pip install y\nelse:\n    !ls\n", "if x:\n    pass\nelse:\n    pass"),
    "shell": ("!ls {x}\n!!ls\nx", "pass\npass\nx"),
    "shell that goes on": ("!pip install \\\n  it's \\\n  y\nx", "pass\n\n\nx"),
    "shell into a name": ("files = !ls\nfiles", "files = get_ipython()\nfiles"),
    "magic into a name": ("d['a'] = %sql select 1", "d['a'] = get_ipython()"),
    "timing into a name": ("y = %time f(x)", "y =       f(x)"),
    "help": ("?f\nf?\nnp.f??\n%time?\nx", "pass\npass\npass\npass\nx"),
    "autocall": ("/f x\n,f x\n;f x", "pass\npass\npass"),
    "magics without their sign": (
        "pip install jax\ncd ..\ntimeit -n 5 f(x)\nx",
        "pass\npass\ndef _timed(): return f(x)\nx",
    ),
    "names of magics": ("time = ls\ntime -x\nrun in ls\nls /x", "time = ls\ntime -x\nrun in ls\nls /x"),
    "timed statement": ("%time y = f(x)", "y = f(x)"),
    "timed value": ("%time f(x)\nx", "_ = f(x)\nx"),
    "timed over lines": ("%time f(x, \\\n  y)", "_ = f(x, \\\n  y)"),
    "timed many times": ("%timeit -n 10 -r3 -o f(x)", "def _timed(): return f(x)"),
    "timed statement, many times": ("%timeit y = f(x)", "def _timed(): y = f(x)"),
    "timed and broken": ("%time f(\nx", "pass\nx"),
    "nothing timed": ("%time\n%timeit -n 1", "pass\npass"),
    "profiled": ("%lprun -f g f(x)", "def _timed(): return f(x)"),
    "cell in time": ("%%time\nx\n!ls", "x\npass"),
    "cell in two magics": ("\n%%capture out\n%%time\nx", "x"),
    "cell many times": ("%%timeit y = 1\nf(x)\n\ng(x)", "def _timed():\n f(x)\n \n g(x)"),
    "only a comment many times": ("%%timeit\n# f(x)", ""),
    "cell in another language": ("%%bash\nls\n", ""),
    "cell in another language below its title": ("#@title Setup\n\n%%bash\nif [ ! -d x ]; then\n", ""),
    "cell in time below its title": ("# @title Run\n%%time\nx", "x"),
    "cell for a file": ("%%writefile x.py\nx", ""),
    "unknown cell magic": ("%%unheard_of\nx", ""),
    "indented as a whole": ("  x = 1\n  if x:\n    y", "x = 1\nif x:\n  y"),
    "modulo at the start of a line": ("y = (x\n  % 2)\n%ls", "y = (x\n  % 2)\npass"),
    "modulo after a backslash": ("y = x \\\n  % 2\n%ls", "y = x \\\n  % 2\npass"),
    "in a string": ("'''\n%ls\n!ls\nx?\n'''\n%ls", "'''\n%ls\n!ls\nx?\n'''\npass"),
    "in a string that goes on": ("y = 'a\\\n%ls'\n%ls", "y = 'a\\\n%ls'\npass"),
    "quotes in strings": ('y = \'"""\'\n%ls', 'y = \'"""\'\npass'),
    "quotes in comments": ("y = 1  # it's\n%ls", "y = 1  # it's\npass"),
    "brackets in strings": ("y = '(['\n%ls", "y = '(['\npass"),
    "signs that are Python": (
        "a %= b\nc != d\nf'{a!r}'\n'%s' % a\n# why?",
        "a %= b\nc != d\nf'{a!r}'\n'%s' % a\n# why?",
    ),
    "a default that formats": ("print(sep='=%s' % a)\n%ls", "print(sep='=%s' % a)\npass"),
    "await at the top": ("await f()\nasync for x in y:\n    pass", "await f()\nasync for x in y:\n    pass"),
    "trailing semicolon": ("f(x);", "f(x);"),
    "nothing": ("", ""),
    "white space": (" \n\t\n", ""),
}


@pytest.mark.parametrize(("source", "expected"), PLAIN.values(), ids=PLAIN)
def test_becomes_plain_python(source: str, expected: str) -> None:
    text = "\n".join(piece.text for piece in plain_python(source))
    assert text == expected
    ast.parse(text)


@pytest.mark.parametrize("source", [source for source, _ in PLAIN.values()], ids=PLAIN)
def test_names_are_where_the_cell_has_them(source: str) -> None:
    pieces = plain_python(source)
    lines = source.split("\n")
    for node in ast.walk(ast.parse("\n".join(piece.text for piece in pieces))):
        if isinstance(node, ast.Name) and node.id not in ("_", "get_ipython"):
            piece = pieces[node.lineno - 1]
            assert lines[piece.line - 1][node.col_offset + piece.shift :].startswith(node.id)
