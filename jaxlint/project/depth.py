"""How deeply a text nests, by a scan that keeps no tree and cannot overflow a stack.

libcst's parser recurses on the C stack and takes the process with it when code nests too deeply, so the text is
measured before libcst sees it.  The measure is an upper bound, not a parse.
"""

from __future__ import annotations

import re

_TOKEN = re.compile(
    r"""
    (?P<string>(?:'''.*?'''|\"\"\".*?\"\"\"|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"))
    |(?P<comment>\#[^\n]*)
    |(?P<indent>^[ \t\f]+)
    |(?P<open>[(\[{])
    |(?P<close>[)\]}])
    |(?P<reset>[,;]|(?<!\\)\n)
    |(?P<operator>\*\*|//|<<|>>|[-+*/%@&|^~.]|\b(?:not|lambda|if|else|elif|and|or|await|yield|in|is)\b)
    """,
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)


def nesting_depth(text: str) -> int:
    """An upper bound of the depth of the syntax tree: open brackets, plus the operators that chain inside each.

    A chain such as `a + b + c` nests once for each operator, so operators are counted until a comma or the end
    of the line starts the next element.  Indentation counts one level a column, `elif` nests as `else: if` does.
    """
    chains = [0]
    depth = deepest = elifs = 0
    for token in _TOKEN.finditer(text):
        kind = token.lastgroup
        if kind == "open":
            chains.append(0)
            depth += 1
        elif kind == "close" and len(chains) > 1:
            depth -= chains.pop()
            chains[-1] += 1  # calls and subscripts chain as operators do; the bracket's own level moves here
        elif kind == "reset" and (len(chains) == 1 or token.group() != "\n"):
            depth -= chains[-1]
            chains[-1] = 0
        elif kind in ("operator", "string"):
            chains[-1] += 1
            depth += 1
            elifs += token.group() == "elif"
        elif kind == "indent":
            deepest = max(deepest, len(token.group()))
        deepest = max(deepest, depth)
    return max(deepest, elifs)
