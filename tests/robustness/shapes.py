"""Programs of one odd shape and any size: what takes longer than its size when something is looked at again and again.

Each shape is a function of a size; a text of twice the size is about twice as long.
"""

from __future__ import annotations

from collections.abc import Callable

HEADER = """\
import jax, functools, itertools
import jax.numpy as jnp
from jax import lax
import equinox as eqx


"""
TRACED = "@jax.jit\ndef f(x, y, z):\n"
EAGER = "def f(x, y, z):\n    key = jax.random.key(0)\n"

Shape = Callable[[int], str]


def _in_function(head: str, statements: Shape) -> Shape:
    def text(size: int) -> str:
        return HEADER + head + "".join(f"    {line}\n" for line in statements(size).splitlines()) + "    return x\n"

    return text


def _nested(before: str, middle: str, after: str) -> Shape:
    """An expression in itself: `x = before(0) … middle … after(0)`, with `{}` for the level."""
    return lambda size: (
        "x = "
        + "".join(before.replace("{}", str(level)) for level in range(size))
        + middle
        + "".join(after.replace("{}", str(level)) for level in reversed(range(size)))
    )


def _blocks(header: str, inner: str = "x = x + 1", after: str = "") -> Shape:
    """Statements in themselves, each with ``after`` behind its block."""

    def text(size: int) -> str:
        lines = ["    " * level + header.replace("{}", str(level)) for level in range(size)]
        lines.append("    " * size + inner)
        if after:
            for level in reversed(range(size)):
                lines += ["    " * level + line.replace("{}", str(level)) for line in after.splitlines()]
        return "\n".join(lines)

    return text


def _repeated(lines: str, start: str = "", end: str = "") -> Shape:
    """The same statements one after the other, with `{}` for the number and `{next}` for the one that follows."""

    def text(size: int) -> str:
        middle = "".join(lines.replace("{}", str(n)).replace("{next}", str(n + 1)) + "\n" for n in range(size))
        return start + middle + end.replace("{}", str(size))

    return text


EXPRESSIONS: dict[str, Shape] = {
    "comprehension in its element": _nested("[", "y", " for a{} in x]"),
    "comprehension in its element over a list": _nested("[", "y", " for a{} in (1, 2, 3)]"),
    "comprehension in its filter": _nested("[y for a{} in x if ", "y", "]"),
    "comprehension in its iterable": _nested("[a{} for a{} in ", "y", "]"),
    "generator in its element": _nested("sum(", "y", " for a{} in x)"),
    "dict comprehension in its value": _nested("{a{}: ", "y", " for a{} in x}"),
    "set comprehension in its element": _nested("{", "y", " for a{} in x}"),
    "ternary in its test": _nested("(x if ", "y", " else z)"),
    "ternary in its body": _nested("(", "y", " if x else z)"),
    "ternary in its else": _nested("(x if y else ", "y", ")"),
    "not": _nested("(not ", "y", ")"),
    "and in and": _nested("(x and ", "y", ")"),
    "or in and": _nested("(x and (z or ", "y", "))"),
    "and from the left": _nested("(", "y", " and x)"),
    "not and": _nested("(not (x and ", "y", "))"),
    "comparison in comparison": _nested("(x < ", "y", ")"),
    "comparison from the left": _nested("(", "y", " < x)"),
    "is None in ternary": _nested("(x if (", "y", ") is None else z)"),
    "isinstance in ternary": _nested("(x if isinstance(", "y", ", int) else z)"),
    "unary minus": _nested("-(", "y", ")"),
    "call in its argument": _nested("jnp.sin(", "y", ")"),
    "call in two arguments": _nested("jnp.where(x, ", "y", ", x)"),
    "where in its test": _nested("jnp.where(", "y", ", x, z)"),
    "subscript in subscript": _nested("x[", "y", "]"),
    "slice in slice": _nested("x[", "y", ":]"),
    "attribute chain": _nested("", "x", ".T"),
    "method chain": _nested("", "x", ".sum()"),
    "at set chain": _nested("", "x", ".at[0].set(y)"),
    "tuple in tuple": _nested("(1, ", "y", ")"),
    "list in list": _nested("[1, ", "y", "]"),
    "dict in dict": _nested("{'a': ", "y", ", 'b': 1}"),
    "starred in tuple": _nested("(*", "y", ", 1)"),
    "starred in list, twice": _nested("[*[1], *", "y", "]"),
    "dict in dict, unpacked": _nested("{**", "{'a': y}", ", 'b{}': 1}"),
    "lambda in lambda": _nested("(lambda a{}: ", "y", ")"),
    "lambda called": _nested("(lambda a{}: ", "y", ")(x)"),
    "lambda called with itself": _nested("(lambda a{}: ", "y", ")(a0 := x)"),
    "lambda default": _nested("(lambda a=", "y", ": a)"),
    "jit of lambda": _nested("jax.jit(lambda a{}: ", "y", ")(x)"),
    "vmap of lambda": _nested("jax.vmap(lambda a{}: ", "y", ")(x)"),
    "grad of lambda": _nested("jax.grad(lambda a{}: ", "y", ")(x)"),
    "value_and_grad of lambda": _nested("jax.value_and_grad(lambda a{}: ", "y", ")(x)"),
    "vmap of vmap": _nested("jax.vmap(", "jnp.sin", ")"),
    "partial of partial": _nested("functools.partial(", "jnp.add", ", 1)"),
    "scan in scan": _nested("lax.scan(lambda c{}, a: (", "y", ", a), x, z)[0]"),
    "cond in cond": _nested("lax.cond(x, lambda a: ", "y", ", lambda a: a, z)"),
    "cond in both": _nested("lax.cond(x, lambda a: a, lambda a: ", "y", ", z)"),
    "while_loop in its test": _nested("lax.while_loop(lambda a: ", "y", ", lambda a: a, z)"),
    "while_loop in its body": _nested("lax.while_loop(lambda a: True, lambda a: ", "y", ", z)"),
    "fori_loop in its body": _nested("lax.fori_loop(0, 3, lambda i, a: ", "y", ", z)"),
    "switch in a branch": _nested("lax.switch(x, [lambda a: a, lambda a: ", "y", "], z)"),
    "map of lambda": _nested("list(map(lambda a: ", "y", ", [1, 2, 3]))"),
    "tree map of lambda": _nested("jax.tree.map(lambda a: ", "y", ", x)"),
    "reduce of lambda": _nested("functools.reduce(lambda a, b: ", "y", ", [1, 2, 3])"),
    "sorted with a lambda": _nested("sorted([3, 2], key=lambda a: ", "y", ")"),
    "format call": _nested("'{}'.format(", "y", ")"),
    "percent": _nested("('%s' % ", "y", ")"),
    "walrus": _nested("(w{} := ", "y", ")"),
    "enumerate": _nested("enumerate(", "y", ")"),
    "zip of two": _nested("zip(x, ", "y", ")"),
    "zip of lists": _nested("list(zip([1, 2], ", "[3, 4]", "))"),
    "reversed": _nested("reversed(", "[1, 2]", ")"),
    "list of": _nested("list(", "[1, 2]", ")"),
    "split of split": _nested("jax.random.split(", "jax.random.key(0)", ")[0]"),
    "fold_in": _nested("jax.random.fold_in(", "jax.random.key(0)", ", x)"),
    "getattr": _nested("getattr(", "y", ", 'T')"),
    "eval_shape": _nested("jax.eval_shape(lambda: ", "y", ")"),
    "checkpoint": _nested("jax.checkpoint(lambda a: ", "y", ")(x)"),
    "pure_callback": _nested("jax.pure_callback(lambda a: ", "y", ", x, z)"),
    "min of two": _nested("min(x, ", "y", ")"),
    "tuple call": _nested("tuple((1, ", "y", "))"),
    "stack of list": _nested("jnp.stack([x, ", "y", "])"),
}
"""Expressions in themselves.  The parser ends at about a hundred levels of parentheses."""

BLOCKS: dict[str, Shape] = {
    "for over a tracer": _blocks("for a{} in x:"),
    "for over range": _blocks("for a{} in range(3):"),
    "for over a list": _blocks("for a{} in [1, 2, 3, 4, 5, 6, 7, 8]:"),
    "for over unknown": _blocks("for a{} in y.items():"),
    "for over range of another": _blocks("for a{} in range(z.ndim):"),
    "for with else": _blocks("for a{} in z.shape:", after="else:\n    y = y + x"),
    "while": _blocks("while y.ndim > {}:"),
    "while true": _blocks("while True:"),
    "if": _blocks("if y.ndim > {}:"),
    "if else": _blocks("if y.ndim > {}:", after="else:\n    y = y - x"),
    "if isinstance": _blocks("if isinstance(y, (int, str)) or x is None:", after="else:\n    y = y - x"),
    "try": _blocks("try:", after="except ValueError:\n    y = y + 1"),
    "try finally": _blocks("try:", after="finally:\n    y = y + 1"),
    "try all": _blocks("try:", after="except ValueError:\n    y = y + 1\nelse:\n    z = x\nfinally:\n    x = z"),
    "with": _blocks("with open(y) as w{}:"),
    "with compile time": _blocks("with jax.ensure_compile_time_eval():"),
    "if with a walrus": _blocks("if (w{} := y) is None:"),
    "function": _blocks("def g{}(a{}):", inner="return x"),
    "function called": _blocks("def g{}(a{}):", inner="return x", after="x = g{}(x)"),
    "function called twice": _blocks("def g{}(a{}):", inner="return x", after="x = g{}(g{}(x))"),
    "function returned": _blocks("def g{}(a{}):", inner="return x", after="return g{}"),
    "function jitted": _blocks("def g{}(a{}):", inner="return x", after="x = jax.jit(g{})(x)"),
    "function mapped and scanned": _blocks(
        "def g{}(a{}, b=0):", inner="return x", after="x = jax.vmap(g{})(x)\nx = lax.scan(g{}, x, y)[0]"
    ),
    "function returned and jitted": _blocks("def g{}(a{}):", inner="return x", after="return jax.jit(g{})"),
    "generator": _blocks("def g{}(a{}):", inner="yield x", after="yield from g{}(x)"),
    "class": _blocks("class C{}:", inner="x = 1"),
    "loop and function": _blocks("for h{} in x:", inner="x = x + 1", after="y = (lambda a: a + x)(y)"),
}
"""Blocks in themselves.  The parser ends at a hundred levels of indentation, and twenty loops."""

STATEMENTS: dict[str, Shape] = {
    "tuple of itself": _repeated("x = (x, x)"),
    "tuple of itself, unpacked": _repeated("a, b = x\nx = (a, b, a)", "x = (y, y)\n"),
    "wide tuple of itself": _repeated("x = (x, x, x, x, x, x, x, x)"),
    "list of itself": _repeated("x = [x, x]"),
    "dict of itself": _repeated("x = {'a': x, 'b': x}"),
    "tuple in list in dict": _repeated("x = {'a': ([x, x], x), 'b': x}"),
    "starred": _repeated("x = (*x, *x)", "x = (1, 2)\n"),
    "starred list": _repeated("x = [*x, *x]", "x = [1, 2]\n"),
    "added to itself": _repeated("x = x + x"),
    "added tuple": _repeated("x = x + x", "x = (1, 2)\n"),
    "added list": _repeated("x = x + x", "x = [1, 2]\n"),
    "added string": _repeated("x = x + x", "x = 'ab'\n"),
    "multiplied string": _repeated("x = x * 8", "x = 'ab'\n"),
    "multiplied bytes": _repeated("x = x * 8", "x = b'ab'\n"),
    "multiplied list": _repeated("x = x * 8", "x = [1]\n"),
    "multiplied tuple": _repeated("x = x * 8", "x = (1,)\n"),
    "squared number": _repeated("x = x * x", "x = 3\n"),
    "power of power": _repeated("x = x ** x", "x = 3\n"),
    "shifted number": _repeated("x = x << x", "x = 3\n"),
    "formatted string": _repeated("x = f'{x}{x}'", "x = 'ab'\n"),
    "percent string": _repeated("x = '%s%s' % (x, x)", "x = 'ab'\n"),
    "joined string": _repeated("x = x.join([x, x, x])", "x = 'ab'\n"),
    "replaced string": _repeated("x = x.replace('a', 'aaaa')", "x = 'ab'\n"),
    "extended by itself": _repeated("x.extend(x)", "x = [1, 2]\n"),
    "appended to itself": _repeated("x.append(x)", "x = [1, 2]\n"),
    "dict updated by itself": _repeated("x.update(a{}=x)", "x = {}\n"),
    "dict of many": _repeated("x['a{}'] = y", "x = {}\n"),
    "dict merged": _repeated("x = {**x, 'a{}': y}", "x = {}\n"),
    "dict or": _repeated("x = x | {'a{}': y}", "x = {}\n"),
    "set of many": _repeated("x.add({})", "x = set()\n"),
    "growing union": _repeated("if y.ndim == {}:\n    x = {}", "x = None\n"),
    "growing union of functions": _repeated("if y.ndim == {}:\n    g = lambda a: a + {}", "g = None\n", "x = g(x)\n"),
    "growing union of tuples": _repeated("if y.ndim == {}:\n    x = (x, {})", "x = None\n"),
    "growing union of lists": _repeated("if y.ndim == {}:\n    x = [x, {}]", "x = None\n"),
    "growing union of strings": _repeated("if y.ndim == {}:\n    w += 'a{}'", "w = ''\n"),
    "growing union called": _repeated(
        "if y.ndim == {}:\n    g = jnp.sin if z is None else (lambda a: g(a))\nx = g(x)", "g = jnp.cos\n"
    ),
    "functions around functions": _repeated("g{next} = lambda a: g{}(g{}(a))", "g0 = jnp.sin\n", "x = g{}(x)\n"),
    "jitted functions around functions": _repeated(
        "g{next} = jax.jit(lambda a: g{}(g{}(a)))", "g0 = jnp.sin\n", "x = g{}(x)\n"
    ),
    "same name around itself": _repeated(
        "g = functools.partial(lambda h, a: h(h(a)), g)", "g = jnp.sin\n", "x = g(x)\n"
    ),
    "partial of itself": _repeated("g = functools.partial(g, g)", "g = jnp.sin\n", "x = g(x)\n"),
    "transforms of itself": _repeated("g = jax.jit(jax.vmap(jax.grad(g)))", "g = lambda a: a\n", "x = g(x)\n"),
    "composed transforms": _repeated(
        "g = (lambda h: jax.jit(lambda a: h(a) + h(a)))(g)", "g = jnp.sin\n", "x = g(x)\n"
    ),
    "decorated closures": _repeated(
        "@functools.partial(lambda h, a: h, z)\ndef g(a, g=g):\n    return g(a) + g(a)", "g = jnp.sin\n", "x = g(x)\n"
    ),
    "scan of scan": _repeated(
        "g = functools.partial(lax.scan, lambda c, a, g=g: (g(c, a), a))", "g = lambda c, a: c\n"
    ),
    "elif": lambda size: (
        "if y is None:\n    pass\n" + "".join(f"elif y.ndim == {n}:\n    x = x + {n}\n" for n in range(size))
    ),
    "many cases": lambda size: (
        "match y:\n" + "".join(f"    case [{n}, *w]:\n        x = x + {n}\n" for n in range(size))
    ),
    "case of many": lambda size: (
        "match y:\n    case " + " | ".join(f"[{n}, _]" for n in range(size)) + ":\n        x = 1\n"
    ),
    "long and": lambda size: "x = " + " and ".join(["y.ndim"] * size),
    "long and of conditions": lambda size: (
        "if " + " and ".join(f"y.ndim > {n}" for n in range(size)) + ":\n    x = 1\n"
    ),
    "long or of nones": lambda size: "if " + " or ".join(f"y{n} is None" for n in range(size)) + ":\n    x = 1\n",
    "long comparison": lambda size: "x = " + " < ".join(["y"] * size),
    "long sum": lambda size: "x = " + " + ".join(["y"] * size),
    "long formatted string": lambda size: "x = f'" + "{y}" * size + "'",
    "many arguments": lambda size: "x = g(" + ", ".join(["y"] * size) + ")",
    "many starred arguments": lambda size: "x = g(" + ", ".join(["*y"] * size) + ")",
    "many keyword arguments": lambda size: "x = g(" + ", ".join(f"a{n}=y" for n in range(size)) + ")",
    "many parameters": lambda size: f"def g({', '.join(f'a{n}' for n in range(size))}):\n    return a0\nx = g(x)\n",
    "many targets": lambda size: ", ".join(f"a{n}" for n in range(size)) + " = x",
    "chained targets": lambda size: " = ".join(f"a{n}" for n in range(size)) + " = x",
    "clauses": lambda size: "x = [y " + " ".join(f"for a{n} in x" for n in range(size)) + "]",
    "filters": lambda size: "x = [y for a in x " + " ".join(f"if a.ndim > {n}" for n in range(size)) + "]",
    "many asserts": _repeated("assert y.ndim > {}"),
    "many early returns": _repeated("if y.ndim > {}:\n    return x"),
    "many early raises": _repeated("if y.ndim == {}:\n    raise ValueError(y)"),
    "many loops": _repeated("for a in x:\n    x = x + a"),
    "many tries": _repeated("try:\n    x = y.a{}\nexcept AttributeError:\n    x = x + 1"),
    "many withs": _repeated("with open(y) as w:\n    x = x + w"),
    "many splits": _repeated("key, k{} = jax.random.split(key)", "key = jax.random.key(0)\n"),
    "many draws": _repeated("x = x + jax.random.normal(key)", "key = jax.random.key(0)\n"),
    "many branches of keys": _repeated(
        "if y.ndim == {}:\n    key, _ = jax.random.split(key)",
        "key = jax.random.key(0)\n",
        "x = jax.random.normal(key)\n",
    ),
    "many keys in a list": _repeated(
        "keys.append(jax.random.fold_in(key, {}))", "key = jax.random.key(0)\nkeys = []\n"
    ),
    "many attributes": _repeated("y.a{} = x"),
    "many updates": _repeated("x = x.at[{}].set(y)"),
    "many branches on tracers": _repeated("if x > {}:\n    y = y + 1"),
    "many prints": _repeated("print(x, y)"),
    "many nested lists": _repeated("w.append([w, x, {}])", "w = []\n"),
}
"""Statements one after the other."""

FUNCTIONS: dict[str, Shape] = {
    "keys that change places": lambda size: (
        "import jax\n\n\ndef f(a, b, flags):\n"
        + "".join(f"    a, b = (a if flags[{n}] else b), (b if flags[{n}] else a)\n" for n in range(size))
        + "    return jax.random.normal(a), jax.random.uniform(b)\n"
    ),
    "either of two that a function gives": lambda size: (
        "import jax\nfrom outside import choose, handle\n\n\n"
        "def f0(x, y):\n    z = choose(x, y)\n    handle(z)\n    return z\n\n\n"
        + "".join(
            f"def f{n + 1}(x, y):\n    a = f{n}(x, y)\n    b = f{n}(y, x)\n    if choose(a):\n        a = b\n"
            "    handle(a)\n    return a\n\n\n"
            for n in range(size)
        )
        + f"@jax.jit\ndef f(x, y):\n    return f{size}(x, y)\n"
    ),
    "methods that call each other twice and read elements": lambda size: (
        "import outside\n\n\nclass Grid:\n    def __init__(self, rows):\n        self.rows = rows\n\n"
        "    def fit0(self, axes, y):\n        for axis in axes:\n"
        "            y = outside.fit(self.rows[axis], y)\n        return y\n\n"
        + "".join(
            f"    def fit{n + 1}(self, axes, y):\n        self.fit{n}(axes, y)\n        return self.fit{n}(axes, y)\n\n"
            for n in range(size)
        )
        + f"\ndef f(rows, axes, y):\n    return Grid(rows).fit{size}(axes, y)\n"
    ),
    "methods that call each other twice and count elements": lambda size: (
        "import outside\n\n\nclass Grid:\n    def __init__(self, rows):\n        self.rows = rows\n\n"
        "    def fit0(self, axes, y):\n        for axis in range(axes):\n"
        "            y = outside.fit(self.rows[axis], y)\n        return y\n\n"
        + "".join(
            f"    def fit{n + 1}(self, axes, y):\n        self.fit{n}(axes, y)\n        return self.fit{n}(axes, y)\n\n"
            for n in range(size)
        )
        + f"\ndef f(rows, axes, y):\n    return Grid(rows).fit{size}(axes, y)\n"
    ),
    "functions around two draws": lambda size: (
        "def f0(key):\n    return jax.random.normal(key) + jax.random.uniform(key)\n\n\n"
        + "".join(f"def f{n + 1}(key):\n    return f{n}(key)\n\n\n" for n in range(size))
        + f"def g(key):\n    a = f{size}(key)\n    b = f{size}(key)\n    return a\n"
    ),
    "maps itself": lambda size: "".join(f"def g{n}(x):\n    return jax.vmap(g{n})(x)\n\n\n" for n in range(size)),
    "map each other": lambda size: "".join(
        f"def g{n}(x):\n    return jax.vmap(g{(n + 1) % size})(x)\n\n\n" for n in range(size)
    ),
    "map and jit each other": lambda size: "".join(
        f"def g{n}(x):\n    return jax.vmap(g{(n + 1) % size})(x) + jax.jit(g{(n + 1) % size})(x)\n\n\n"
        for n in range(size)
    ),
    "map all": lambda size: "".join(
        f"def g{n}(x):\n"
        f"    return (jax.vmap(g{(2 * n + 1) % size})(x) + jax.grad(g{(3 * n + 1) % size})(x)).sum()\n\n\n"
        for n in range(size)
    ),
    "filter_vmap": lambda size: "".join(
        f"def g{n}(x):\n    return h{n}(x)\n\n\ndef h{n}(x):\n    return eqx.filter_vmap(g{n})(x)\n\n\n"
        for n in range(size)
    ),
    "grad of vmap of itself": lambda size: "".join(
        f"def g{n}(x):\n    return jax.grad(jax.vmap(g{n}))(x)\n\n\n" for n in range(size)
    ),
    "scan with itself": lambda size: "".join(
        f"def g{n}(c, x):\n    return lax.scan(g{n}, c, x)\n\n\n" for n in range(size)
    ),
    "scan with each other": lambda size: "".join(
        f"def g{n}(c, x):\n    return lax.scan(g{(n + 1) % size}, c, x)\n\n\n" for n in range(size)
    ),
    "lambdas that map": lambda size: "".join(
        f"g{n} = lambda x: jax.vmap(lambda y: g{(n + 1) % size}(y))(x)\n" for n in range(size)
    ),
    "custom_vjp": lambda size: "".join(
        f"@jax.custom_vjp\ndef g{n}(x):\n    return g{n}(x)\n\n\ndef h{n}(x):\n    return g{n}(x), x\n\n\n"
        f"def b{n}(r, t):\n    return (jax.vjp(g{n}, r)[1](t),)\n\n\ng{n}.defvjp(h{n}, b{n})\n\n\n"
        for n in range(size)
    ),
    "decorated by the one before": lambda size: (
        "def g(f):\n    return f\n\n\n"
        + "".join("@g\ndef g(f):\n    return lambda *a: f(f(*a))\n\n\n" for _ in range(size))
    ),
    "decorated by itself": lambda size: "".join(
        f"def g{n}(f):\n    @g{n}\n    def h(*a):\n        return f(*a)\n    return h\n\n\n" for n in range(size)
    ),
    "many decorators": lambda size: (
        "def g(f):\n    return lambda *a: f(*a)\n\n\n" + "@g\n" * size + "def h(x):\n    return x\n\n\njax.jit(h)\n"
    ),
    "many transforms as decorators": lambda size: "@jax.jit\n@jax.vmap\n" * size + "def h(x):\n    return x\n",
    "a call each": lambda size: (
        "".join(f"def g{n}(x):\n    return g{n + 1}(x)\n\n\n" for n in range(size))
        + f"def g{size}(x):\n    return jax.random.normal(x)\n\n\njax.jit(g0)\n"
    ),
    "two calls each": lambda size: (
        "".join(f"def g{n}(x):\n    return g{n + 1}(x) + g{n + 1}(-x)\n\n\n" for n in range(size))
        + f"def g{size}(x):\n    return jax.random.normal(x)\n\n\njax.jit(g0)\n"
    ),
    "two calls each with functions": lambda size: (
        "".join(
            f"def g{n}(x, h):\n    return g{n + 1}(x, lambda a: h(h(a))) + g{n + 1}(-x, lambda a: h(a))\n\n\n"
            for n in range(size)
        )
        + f"def g{size}(x, h):\n    return h(x)\n\n\njax.jit(lambda x: g0(x, jnp.sin))\n"
    ),
    "two calls each with lists": lambda size: (
        "".join(f"def g{n}(x, h):\n    return g{n + 1}(x, [h, h]) + g{n + 1}(-x, [*h])\n\n\n" for n in range(size))
        + f"def g{size}(x, h):\n    return x\n\n\njax.jit(lambda x: g0(x, []))\n"
    ),
    "calls of all before": lambda size: "".join(
        f"def g{n}(x):\n    return {' + '.join(f'g{m}(x)' for m in range(max(0, n - 8), n)) or 'x'}\n\n\n"
        f"jax.jit(g{n})\n"
        for n in range(size)
    ),
    "methods that pass a key on to each other": lambda size: (
        "class A:\n"
        + "".join(
            f"    def g{n}(self, key):\n"
            f"        self.kept = key\n        {'; '.join(f'self.g{(n + m) % size}(key)' for m in range(1, 9))}\n\n"
            for n in range(size)
        )
        + "\n\ndef f(key, model):\n    return model.g0(key), model.g0(key), jax.random.normal(key)\n"
    ),
    "calls with many constants": lambda size: (
        "def g(x, n):\n    return x * n\n\n\n@jax.jit\ndef f(x):\n"
        + "".join(f"    x = g(x, {n})\n" for n in range(size))
    ),
    "inheritance": lambda size: (
        "class C0:\n    def m(self, x):\n        return x\n\n\n"
        + "".join(f"class C{n + 1}(C{n}):\n    def m(self, x):\n        return super().m(x)\n\n\n" for n in range(size))
        + f"jax.jit(C{size}().m)\n"
    ),
    "inheritance, diamonds": lambda size: (
        "class C0:\n    def m(self, x):\n        return x\n\n\n"
        + "".join(
            f"class A{n}(C{n}):\n    pass\n\n\nclass B{n}(C{n}):\n    pass\n\n\nclass C{n + 1}(A{n}, B{n}):\n"
            f"    def m(self, x):\n        return super().m(x)\n\n\n"
            for n in range(size)
        )
        + f"jax.jit(C{size}().m)\n"
    ),
    "inheritance in a ring": lambda size: "".join(
        f"class C{n}(C{(n + 1) % size}):\n    def m(self, x):\n        return super().m(x)\n\n\n" for n in range(size)
    ),
    "properties of themselves": lambda size: (
        "class C(eqx.Module):\n"
        + "".join(
            f"    @property\n    def p{n}(self):\n        return (self.p{(n + 1) % size}, self.p{(n + 2) % size})\n\n"
            for n in range(size)
        )
        + "    def __call__(self, x):\n        return self.p0, x\n\n\njax.jit(C())\n"
    ),
    "properties of the next": lambda size: (
        "class C(eqx.Module):\n"
        + "".join(
            f"    @property\n    def p{n}(self):\n        return (self.p{n + 1}, self.p{n + 1})\n\n"
            for n in range(size)
        )
        + f"    p{size} = 1\n\n    def __call__(self, x):\n        return self.p0, x\n\n\n"
        + "@jax.jit\ndef f(x):\n    return C()(x)\n"
    ),
    "methods of each other": lambda size: (
        "class C:\n"
        + "".join(
            f"    def m{n}(self, x):\n        self.a{n} = x\n"
            f"        return self.m{(n + 1) % size}(x) + self.m{(n + 2) % size}(x)\n\n"
            for n in range(size)
        )
        + "\njax.jit(C().m0)\n"
    ),
    "objects in objects": lambda size: (
        "".join(
            f"class C{n}:\n    def __init__(self):\n        self.a = C{n + 1}()\n        self.b = C{n + 1}()\n\n\n"
            for n in range(size)
        )
        + f"class C{size}:\n    pass\n\n\n@jax.jit\ndef f(x):\n    return C0().a.b, x\n"
    ),
    "modules in modules": lambda size: (
        "".join(
            f"class C{n}(eqx.Module):\n    a: 'C{n + 1}'\n    b: 'C{n + 1}'\n\n    def __call__(self, x):\n"
            f"        return self.a(x) + self.b(x)\n\n\n"
            for n in range(size)
        )
        + f"class C{size}(eqx.Module):\n    def __call__(self, x):\n        return x\n\n\n"
        "@jax.jit\ndef f(m: C0, x):\n    return m(x)\n"
    ),
    "module level": lambda size: "x = jnp.zeros(3)\n" + "".join(f"x{n} = jnp.sin(x)\n" for n in range(size)),
    "module level unions": lambda size: (
        "".join(f"try:\n    import a{n} as m\nexcept ImportError:\n    m = None\n" for n in range(size))
        + "jax.jit(m.f)\n"
    ),
    "closures returned": lambda size: (
        "def g0(x):\n    return x\n\n\n"
        + "".join(
            f"def g{n + 1}(x):\n    def inner(y):\n        return g{n}(x)\n"
            f"    return jax.jit(inner)(x) + jax.vmap(inner)(x)\n\n\n"
            for n in range(size)
        )
    ),
    "factories of factories": lambda size: (
        "def g0(a):\n    return lambda x: x + a\n\n\n"
        + "".join(f"def g{n + 1}(a):\n    h = g{n}(a)\n    return lambda x: h(h(x)) + a\n\n\n" for n in range(size))
        + f"@jax.jit\ndef f(x):\n    return g{size}(x)(x)\n"
    ),
    "globals written": lambda size: "".join(
        f"T{n} = 0\n\n\ndef g{n}(x):\n    global T{n}\n    T{n} += 1\n    return g{(n + 1) % size}(x)\n\n\n"
        for n in range(size)
    ),
    "generators of generators": lambda size: (
        "def g0(x):\n    yield x\n\n\n"
        + "".join(
            f"def g{n + 1}(x):\n    for a in g{n}(x):\n        yield a\n        yield from g{n}(a)\n\n\n"
            for n in range(size)
        )
        + f"@jax.jit\ndef f(x):\n    return list(g{size}(x))\n"
    ),
    "comments": lambda size: "# from nets import (  # x\n" * size,
    "strings": lambda size: "s = '''" + "import (\n" * size + "'''\n",
    "one long line": lambda size: "s = '" + "import ( # " * size + "'\n",
    "many functions": lambda size: "".join(
        f"@jax.jit\ndef f{n}(x):\n    if x > 0:\n        return jnp.sin(x)\n    return x\n\n\n" for n in range(size)
    ),
    "many findings in one function": lambda size: "@jax.jit\ndef f(x):\n" + "    print(x)\n" * size + "    return x\n",
    "suppressions": lambda size: "x = 1  # jaxlint: ignore[JAX101]\n" * size,
    "suppressions on a line": lambda size: "x = 1  " + "# jaxlint: ignore[JAX101 " * size + "\n",
}
"""Whole modules."""


def shapes() -> dict[str, Shape]:
    """Every shape by name: functions under a trace, what is about keys outside as well, and whole modules."""
    found: dict[str, Shape] = {}
    for table in (EXPRESSIONS, BLOCKS, STATEMENTS):
        found.update((f"{name} (traced)", _in_function(TRACED, shape)) for name, shape in table.items())
        keys = ((name, shape) for name, shape in table.items() if "key" in shape(2))
        found.update((f"{name} (eager)", _in_function(EAGER, shape)) for name, shape in keys)
    found.update((name, lambda size, shape=shape: HEADER + shape(size)) for name, shape in FUNCTIONS.items())
    return found
