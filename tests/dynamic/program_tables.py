"""What random programs are drawn from: expressions by type, statements, functions and how each is used.

Every expression has a type of the first table, so that a program has no errors but those it is meant to have.  What JAX
objects to, or would do once instead of each time, stands in tables of its own.

In a template ``{vec}`` is an expression of that type, ``{vec+}`` a new variable, ``{vec=}`` a variable of the
function that may be assigned to, and ``{block}`` statements, indented as they stand there; braces of the program are
«».  A new variable is known after its statement.
"""

from __future__ import annotations

from dataclasses import dataclass

TYPES = """
vec: a traced float32[3]        scal: a traced float32[]     int: a traced int32[], small      flag: a traced bool[]
tree: a dict of w, b            pair: a tuple of vec, scal   state: a named tuple of w, b      rows: a list of vecs
key: one random key             fun: a function of a vec     keys: an array of two keys
n: a Python int, 1 or 2         f: a Python float            b: a Python bool                  host: a NumPy float[3]
data: a dataclass of w, b that is a pytree                   draws: an endless generator of keys
"""

ATOMS = {
    "vec": "jnp.ones(3)", "scal": "jnp.float32(2.0)", "int": "jnp.int32(1)", "flag": "jnp.bool_(True)",
    "tree": "«'w': {vec}, 'b': {scal}»", "pair": "({vec}, {scal})", "state": "State({vec}, {scal})",
    "rows": "[{vec}, {vec}]", "fun": "jnp.sin", "n": "2", "f": "0.5", "b": "True", "host": "np.ones(3)",
    "data": "Data({vec}, {scal})",
}  # fmt: skip
"""What is written where nothing else is at hand.  Keys have no atom: where there is none, none is used."""

FINE: dict[str, list[str]] = {
    "vec": [
        "{vec} + {vec}", "{vec} * {scal}", "-{vec}", "jnp.sin({vec})", "jnp.where({vec} > {scal}, {vec}, {vec})",
        "{vec}.at[{n}].set({scal})", "{vec}.at[{int}].add({scal})", "{tree}['w']", "{pair}[0]", "{state}.w",
        "{fun}({vec})", "jnp.asarray({host})", "{host} * {scal}", "jnp.full((3,), {f})", "{vec} if {b} else {vec}",
        "jnp.zeros({vec}.shape)", "jax.vmap(lambda e: e * {scal})({vec})", "jnp.where({flag}, {vec}, {vec})",
        "jax.grad(lambda v: (v * {vec}).sum())({vec})", "jax.jit({fun})({vec})", "jax.checkpoint({fun})({vec})",
        "lax.cond({flag}, {fun}, {fun}, {vec})", "lax.fori_loop(0, {n}, lambda i, v: v + i, {vec})",
        "lax.while_loop(lambda v: v.sum() < 9.0, lambda v: v * v + 1.0, lax.stop_gradient({vec}))",
        "jnp.stack([{scal}, {scal}, {scal}])", "jnp.stack([e * 2.0 for e in {vec}])", "sum({rows})", "{rows}[{n} - 1]",
        "{vec}[::-1]", "jnp.sort({vec})", "{vec}.reshape({vec}.shape)", "jnp.array(np.arange(3.0))",
        "functools.partial(jnp.add, {vec})({vec})", "jax.random.normal({key}, (3,))",
        "jax.random.uniform({key}, {vec}.shape)", "jax.tree.map(lambda leaf: leaf * {f}, {tree})['w']",
        "jnp.concatenate([{vec}[:1], {vec}[1:]])",
        "jax.vmap(lambda k: jax.random.normal(k))(jax.random.split({key}, 3))", "{vec} * np.sqrt({f})",
        "jnp.linspace(0.0, 1.0, {vec}.shape[0])", "{host} + {vec}", "{vec} * len({rows})",
        "{vec} @ jnp.eye(len({vec}))", "dict(a={vec})['a']", "[v * {f} for v in {rows}][0]",
        "lax.select({vec} > 0, {vec}, {vec})", "({vec} if {vec}.ndim == 1 else {vec}[0])",
        "jax.jvp({fun}, ({vec},), ({vec},))[1]", "jax.lax.map(jnp.cos, {vec})",
        "lax.switch({int}, [{fun}, {fun}, jnp.cos], {vec})", "{vec}.astype(jnp.float32)", "max({n}, {n}) * {vec}",
        "{data}.w", "{data}.moved({scal}).w", "{state}.scaled({f}).w", "next((v for v in {rows} if {b}), {vec})",
        "jax.vmap(lambda e, t: e + t, in_axes=(0, None))({vec}, {scal})",
        "jax.vmap(lambda k, e: e * jax.random.uniform(k))(jax.random.split({key}, 3), {vec})",
        "jax.vmap(lambda p, e: p['w'].sum() * e, in_axes=(None, 0))({tree}, {vec})",
        "jax.vmap(jax.vmap(lambda e: e * {scal}))(jnp.stack({rows}))[0]",
        "jax.vmap(lambda row: row @ {vec}, in_axes=1)(jnp.stack([{vec}, {vec}, {vec}]))",
        "jax.vmap(lambda st: st.w * st.b, in_axes=(State(0, None),))({state})",
        "functools.reduce(lambda a, v: a + v, (v * {f} for v in {rows}))",
        "functools.partial(lax.cond, {flag})({fun}, {fun}, {vec})",
        "jax.vmap(functools.partial(jnp.multiply, {scal}))({vec})",
    ],
    "scal": [
        "{vec}.sum()", "{vec}[{n}]", "{vec}[{int}]", "jnp.max({vec})", "{scal} * {scal}", "{tree}['b']", "{pair}[1]",
        "{state}.b", "jnp.dot({vec}, {vec})", "{scal} + {f}", "jnp.where({flag}, {scal}, {scal})",
        "{scal} if {b} else {scal}", "jax.grad(lambda t: t * {scal})({scal})", "jax.random.normal({key})",
        "lax.cond({flag}, jnp.sin, jnp.cos, {scal})", "functools.reduce(jnp.add, [e for e in {vec}])",
        "sum(e for e in {vec})", "{scal} ** {n}", "{scal} / {vec}.shape[0]", "jax.random.uniform({key}) * {f}",
        "jnp.float32({host}.sum())", "{vec}[-1]", "{vec}[jnp.argmax({vec})]", "{data}.b", "{state}.total",
        "{scal} ** {data}.power",
    ],
    "int": [
        "jnp.argmax({vec})", "jnp.int32({n})", "jnp.minimum({int}, {n})", "{int} % 3",
        "jax.random.randint({key}, (), 0, 3)", "({vec} > 0).sum() % 2", "jnp.where({flag}, 0, {n})",
    ],
    "flag": [
        "{scal} > 0", "{scal} < {scal}", "jnp.any({vec} > {f})", "jnp.all({vec} == {vec})", "{int} > {n}",
        "{int} == {n}", "~{flag}", "jnp.logical_and({flag}, {flag})", "{flag} | {flag}", "jnp.isnan({scal})",
        "{scal} != {f}",
    ],
    "tree": [
        "«'w': {vec}, 'b': {scal}»", "jax.tree.map(jnp.sin, {tree})", "dict({tree}, b={scal})",
        "«**{tree}, 'w': {vec}»", "jax.tree.map(lambda a, b: a + b, {tree}, {tree})",
        "«k: v * {f} for k, v in {tree}.items()»",
    ],
    "pair": [
        "({vec}, {scal})", "tuple([{vec}, {scal}])", "jax.tree.map(jnp.cos, {pair})",
    ],
    "state": [
        "State({vec}, {scal})", "{state}._replace(w={vec})", "State(*{pair})", "State(**{tree})", "{state}.scaled({f})",
        "jax.tree.map(jnp.tanh, {state})",
    ],
    "data": [
        "Data({vec}, {scal})", "dataclasses.replace({data}, w={vec})", "{data}.moved({scal})", "Data(**{tree})",
        "jax.tree.map(jnp.cos, {data})", "Data(*{pair}, power=2)",
    ],
    "draws": [
        "stream({key})",
    ],
    "rows": [
        "[{vec}, {vec}]", "[{vec} * i for i in range(2)]", "list(({vec}, {vec}))", "[{vec}] * 2", "[*{rows}]",
    ],
    "keys": [
        "jax.random.split({key})", "jax.random.split({key}, 2)",
    ],
    "key": [
        "jax.random.fold_in({key}, {n})", "jax.random.fold_in({key}, {int})", "jax.random.split({key})[0]",
        "{keys}[0]", "{keys}[1]", "jax.random.split({key}, 3)[{n}]", "jax.random.clone({key})",
        "next({draws})", "next({draws})",
    ],
    "fun": [
        "lambda v: v * {f}", "lambda v: v + {vec}", "functools.partial(jnp.multiply, {vec})", "jnp.tanh",
        "jax.jit(jnp.exp)", "(jnp.sin if {b} else jnp.cos)", "jax.checkpoint(lambda v: jnp.sin(v) * {scal})",
        "jax.grad(lambda v: (v ** 2).sum())", "functools.partial(jax.tree.map, jnp.cos)", "scaled_by({f})",
        "scaled_by({vec})", "functools.partial(lambda t, v: v * t, {scal})",
    ],
    "n": [
        "{vec}.ndim", "len({vec}) - 1", "{vec}.shape[0] - 1", "min({n}, 2)", "{n} if {b} else {n}", "len({rows})",
        "{vec}.size - 2", "int(np.sum({host}.shape)) - 1", "len([a for a in {vec}.shape])", "max(1, {n} - 1)",
    ],
    "f": [
        "0.25", "{f} * {n}", "float({n})", "math.sqrt(2.0)", "float(np.pi)", "{f} if {b} else {f}", "float({host}[0])",
        "np.cos({f})",
    ],
    "b": [
        "{n} > 1", "{vec}.ndim == 1", "{vec}.dtype == jnp.float32", "{opt} is None", "isinstance({n}, int)", "not {b}",
        "{b} and {b}", "{b} or {b}", "'w' in {tree}", "len({rows}) > 1", "bool({n})", "callable({fun})",
        "{opt} is not None", "{host}.sum() > 2", "{vec}.shape == (3,)", "isinstance({tree}, dict)", "{n} in (1, 2)",
        "any(a > 2 for a in {vec}.shape)", "hasattr({vec}, 'shape')",
    ],
    "host": [
        "np.arange(3.0)", "np.zeros(3)", "{host} + {f}", "np.sin({host})", "np.full({vec}.shape, {f})",
        "np.asarray([{f}, {f}, {f}])",
    ],
    "opt": [
        "{vec} if {b} else None",
    ],
}  # fmt: skip

BAD: dict[str, list[str]] = {
    "vec": [
        "np.sin({vec})", "np.add({vec}, {host})", "{vec} if {flag} else {vec}", "{vec}[{vec} > 0].sum() + {vec}",
        "{rows}[{int}]", "jnp.asarray(np.asarray({vec}))", "{vec} * len(range({int}))",
        "jax.vmap(lambda e: e if e > 0 else -e)({vec})", "jax.vmap(lambda e: jax.random.normal({key}) * e)({vec})",
        "jnp.zeros({int}).sum() + {vec}", "{vec}[:{int}].sum() + {vec}", "jnp.nonzero({vec})[0].sum() * {vec}",
        "jax.random.normal(jax.random.PRNGKey(0), (3,))", "{vec} * random.random()",
        "lax.fori_loop(0, 2, lambda i, v: v + jax.random.normal({key}, (3,)), {vec})",
        "np.where({flag}, {vec}, {vec})", "jnp.where({scal} > 0 and {scal} < 1, {vec}, {vec})",
        "lax.cond({flag}, lambda v: v * float(v[0]), {fun}, {vec})", "sum(v for v in {rows} if v.sum() > 0)",
        "jnp.stack([e if e > 0 else e * 2 for e in {vec}])", "np.linalg.norm({vec}) * {vec}",
    ],
    "scal": [
        "max({scal}, {scal})", "min({vec})", "abs({scal}) if {scal} < 0 else {scal}", "math.sin({scal})",
        "{scal} * float({scal})", "{scal} + time.time()", "np.max({vec})", "{scal} * np.random.rand()",
        "{vec}.mean().item() * {scal}", "round(float({scal})) * {scal}",
    ],
    "n": [
        "int({int})", "{int}.item()", "int({scal}.astype(int))", "int(jnp.ceil(2.0))", "int(np.asarray({int}))",
    ],
    "f": [
        "float({scal})", "{scal}.item()", "{vec}[0].tolist()", "math.cos({scal})", "float({vec}[{n}])",
    ],
    "b": [
        "bool({flag})", "{scal} > 0 and {b}", "not {flag}", "any({vec} > 0)", "{scal} in (1.0, 2.0)", "{flag} or {b}",
        "0 < {scal} < 1", "all(e > 0 for e in {vec})", "jnp.allclose({vec}, {vec})", "{vec}.any()",
        "{int} == 1 and {n} == 2",
    ],
    "host": [
        "np.asarray({vec})", "np.array({vec})", "np.stack([{scal}, {scal}, {scal}])", "np.cumsum({vec})",
    ],
    "key": [
        "jax.random.PRNGKey(1)",
    ],
}  # fmt: skip

STATEMENTS = [
    *[
        "{vec+} = {vec}", "{vec=} = {vec}", "{scal+} = {scal}", "{vec=} += {vec}",
    ] * 3,
    "{n+} = {n}", "{f+} = {f}", "{b+} = {b}", "{host+} = {host}", "{tree+} = {tree}", "{pair+} = {pair}",
    "{state+} = {state}", "{int+} = {int}", "{flag+} = {flag}", "{rows+} = {rows}", "{fun+} = {fun}", "{opt+} = {opt}",
    "{scal=} *= {f}", "{vec+}, {scal+} = {pair}", "{vec+}, {vec+} = {rows}", "{vec+}, {scal+} = {state}",
    "{host=} = {host}", "{n=} = {n}",
    *[
        "{key+}, {key+} = jax.random.split({key})", "{keys+} = {keys}", "{key+} = {key}",
        "{vec+} = jax.random.normal({key}, (3,))",
    ] * 2,
    "{keep}, {key+} = jax.random.split({keep})", "{keep}, {key+}, {key+} = jax.random.split({keep}, 3)",
    "for {key+} in jax.random.split({key}, {n}):\n    {block}",
    "if {b}:\n    {block}", "if {b}:\n    {block}\nelse:\n    {block}",
    "if {b}:\n    {vec=} = {vec}\nelif {b}:\n    {vec=} = {vec}\nelse:\n    {block}",
    "for {n+} in range({n}):\n    {block}",
    "for {scal+} in {vec}:\n    {block}", "for {vec+} in {rows}:\n    {block}",
    "for {n+}, {vec+} in enumerate({rows}):\n    {block}", "for {vec+}, {scal+} in zip({rows}, {vec}):\n    {block}",
    "for {name+}, {leaf+} in {tree}.items():\n    {block}",
    "{index+} = 0\nwhile {index} < {n}:\n    {block}\n    {index} += 1", "assert {vec}.ndim == 1",
    "if {b}:\n    return {result}", "with jax.named_scope('scope'):\n    {block}",
    "if {n} > 9:\n    raise ValueError('never mind')\n{vec+} = {vec}", "try:\n    {block}\nexcept KeyError:\n    pass",
    "{rows+} = []\nfor {n+} in range(2):\n    {last}.append({vec})", "{tree=}['w'] = {vec}", "print({vec}.shape)",
    "{tree+} = «»\n{last}['w'], {last}['b'] = {vec}, {scal}", "{vec+} = {opt}\nif {last} is None:\n    {last} = {vec}",
    "{total+} = {scal}\nfor {scal+} in {vec}:\n    {total} = {total} + {scal}\n{vec=} = {vec=} * {total}",
    "{n+} = 0\nfor {n+} in range(2):\n    if {b}:\n        break\n{block}",
    "{vec+} = {vec}\nfor {n+} in range(2):\n    if {b}:\n        continue\n    {block}",
    "jax.debug.print('v «»', {vec})",
    "{fun+} = [{fun}, {fun}][{n} - 1]", "{vec+} = (lambda v, t: v * t)({vec}, {scal})",
    "{vec+} = «'a': {fun}, 'b': {fun}»['a']({vec})",
    "{vec+}, {keep} = (lambda k: (jax.random.normal(k[0], (3,)), k[1]))(jax.random.split({keep}))",
    "{data+} = {data}", "{draws+} = {draws}",
    "for {key+}, {vec+} in zip({draws}, {rows}):\n    {block}", "{key+}, {key+} = itertools.islice({draws}, 2)",
    "match {n}:\n    case 1:\n        {block}\n    case _:\n        {block}",
    "match {tree}:\n    case «'w': {vec+}, **rest»:\n        {block}", "match {b}:\n    case True:\n        {block}",
    "match {pair}:\n    case {vec+}, {scal+}:\n        {block}\n    case _:\n        {block}",
    "match {state}:\n    case State(w={vec+}, b={scal+}):\n        {block}",
    "match {data}:\n    case Data(w={vec+}, power=2 | 3):\n        {block}",
    "match {opt}:\n    case None:\n        {vec=} = {vec}\n    case _:\n        {block}",
    "match {n}:\n    case {n+} if {b}:\n        {block}\n    case 1 | 2:\n        {block}",
    "try:\n    {vec=} = {tree}['other']\nexcept KeyError:\n    {vec=} = {vec}",
    "try:\n    {vec=} = {vec}\nexcept (TypeError, ValueError):\n    raise\nelse:\n    {block}",
    "try:\n    {block}\nfinally:\n    done = True",
    "try:\n    if {b}:\n        raise ValueError('no')\n    {block}\nexcept ValueError as error:\n    {block}",
    "with contextlib.suppress(KeyError):\n    {block}",
]  # fmt: skip

BAD_STATEMENTS = [
    "if {flag}:\n    {block}", "if {flag}:\n    {block}\nelse:\n    {block}",
    "while {flag}:\n    {block}\n    break", "assert {flag}",
    "print({vec})", "if {scal} > {f}:\n    return {result}", "for {n+} in range({int}):\n    {block}",
    "print(f'«{vec=}»')", "LOG.append({vec})", "LOG.append({n})", "global COUNT\nCOUNT += 1", "TABLE['seen'] = {n}",
    "TABLE['last'] = {vec}", "MODEL.count += 1", "MODEL.last = {vec}", "{vec=}[0] = {scal}", "{host=}[0] = {scal}",
    "if {vec}.sum():\n    {block}", "{vec=} = {vec} if {flag} else {vec}", "{b+} = time.time() > 0",
    "LOG.extend([{n}, {n}])", "TABLE.update(a={n})", "{vec+} = jax.random.normal({spent}, (3,))",
    "{key+}, {key+} = jax.random.split({spent})", "del TABLE['a']",
    "for {n+} in range(2):\n    {vec=} = {vec=} + jax.random.normal({key}, (3,))", "SEEN.add({n})",
    "setattr(MODEL, 'count', {n})",
    "try:\n    if {flag}:\n        {vec=} = {vec}\nexcept jax.errors.TracerBoolConversionError:\n    pass",
    "while {int} > 3:\n    {block}\n    break", "{vec+} = jnp.ones(3)\nif {last}.sum() > 1:\n    {block}",
    "if {vec}[0]:\n    {vec=} = {vec}", "global LAST\nLAST = {vec}", "sys.stdout.write(str({vec}))",
    "match {int}:\n    case 1:\n        {block}", "match {scal}:\n    case {scal+} if {last} > 0:\n        {block}",
    "match {flag}:\n    case True:\n        {block}", "match {pair}:\n    case _, 0.0:\n        {block}",
    "try:\n    {vec=} = {vec} * float({scal})\nexcept TypeError:\n    pass", "TABLE['made'] = scaled_by({vec})",
    "try:\n    {vec=} = {vec} * int({int})\nexcept jax.errors.ConcretizationTypeError:\n    {vec=} = {vec}",
    "try:\n    if {flag}:\n        {vec=} = {vec}\nexcept KeyError:\n    pass",
    "{state+} = {state}\nif {last}.total > 0:\n    {block}",
    "if {data}.b > 0:\n    {block}",
    "{vec=} = sum(v for v in {rows} if {flag})",
]  # fmt: skip


@dataclass(frozen=True)
class Shape:
    """A function: its parameters with types, lines before the body, what it returns, and how it is used."""

    parameters: str
    result: str
    use: str
    before: str = ""
    ends: str = "return"
    around: str = "{definition}"
    """The definition and what belongs to it.  ``{name}`` is what is used."""
    called: str = "{name}"
    """The function itself."""
    knows: str = ""
    """What it can read by where it stands, with types."""


FACTORY = """
def {name}(known):
    {definition}
    return inner
"""
DECORATED = """
def {name}_by(scale):
    def decorate(function):
        @functools.wraps(function)
        def wrapper(*args, **kwargs):
            return function(*args, **kwargs) * scale
        return wrapper
    return decorate

@{name}_by(2.0)
{definition}
"""
CLASS = """
class {name}:
    rate = 0.5

    def __init__(self, w, count=1):
        self.w = w
        self.count = count

    {definition}
"""
FIELDS = "self.w: vec, self.rate: f, self.count: n"
PROPERTY = CLASS.replace("{definition}", "@property\n    {definition}")
STATIC_METHOD = CLASS.replace("{definition}", "@staticmethod\n    {definition}")
CLASS_METHOD = CLASS.replace("{definition}", "@classmethod\n    {definition}")
DATACLASS = """
@functools.partial(jax.tree_util.register_dataclass, data_fields=['w'], meta_fields=['count'])
@dataclasses.dataclass
class {name}:
    w: jax.Array
    count: int = 1
    rate = 0.5

    {definition}
"""
"""For the module only: JAX keeps what is registered, and what its methods close over, for good."""
OVERRIDES = """
class {name}(Model):
    {definition}
"""
EXTENDS = """
class {name}(Model):
    {definition}

    def apply(self, v, t):
        return super().apply(self.inner(v), t)
"""
REPEATS = """
{definition}

def {name}(v, times):
    for _ in range(times):
        v = {name}_step(v)
        yield v
"""
JITTED_BY_PARTIAL = """
@functools.partial(jax.jit, static_argnames=('m',))
{definition}
"""
MAPPED_BY_PARTIAL = """
@functools.partial(jax.vmap, in_axes=(0, None))
{definition}
"""
OWN_DERIVATIVE = """
@jax.custom_vjp
{definition}

def {name}_fwd(v, t):
    return {name}(v, t), (v, t)

def {name}_bwd(saved, g):
    v, t = saved
    return g * t, (g * v).sum()

{name}.defvjp({name}_fwd, {name}_bwd)
"""
OWN_FORWARD = """
@jax.custom_vjp
def {name}(v, t):
    return v * t

{definition}

def {name}_bwd(saved, g):
    v, t = saved
    return g * t, (g * v).sum()

{name}.defvjp({name}_fwd, {name}_bwd)
"""
OWN_BACKWARD = """
@jax.custom_vjp
def {name}(v, t):
    return v * t

def {name}_fwd(v, t):
    return v * t, (v, t)

{definition}

{name}.defvjp({name}_fwd, {name}_bwd)
"""
OWN_BACKWARD_OF_STATIC = """
@functools.partial(jax.custom_vjp, nondiff_argnums=(1,))
def {name}(v, m):
    return v * m

def {name}_fwd(v, m):
    return v * m, v

{definition}

{name}.defvjp({name}_fwd, {name}_bwd)
"""
OWN_TANGENT = """
@jax.custom_jvp
def {name}(v, t):
    return v * t

@{name}.defjvp
{definition}
"""

NESTED = [
    Shape("carry: vec, e: scal", "{vec}, {scal}", "{vec+}, {vec+} = lax.scan({name}, {vec}, {vec})"),
    Shape(
        "carry: vec, k: key", "{vec}, {scal}", "{vec+}, {vec+} = lax.scan({name}, {vec}, jax.random.split({key}, 3))"
    ),
    Shape(
        "carry, e: scal",
        "({keep}, {vec}), {scal}",
        "({key+}, {vec+}), {vec+} = lax.scan({name}, ({key}, {vec}), {vec})",
        before="{keep+}, {vec+} = carry",
    ),
    Shape("carry: state, _", "{state}, {vec}", "{state+}, {opt+} = lax.scan({name}, {state}, None, length=2)"),
    Shape("carry: tree, e: scal", "{tree}, None", "{tree+}, {opt+} = lax.scan({name}, {tree}, {vec})"),
    Shape("e: scal", "{scal}", "{vec+} = jax.vmap({name})({vec})"),
    Shape("e: scal, t: scal", "{scal}", "{vec+} = jax.vmap({name}, in_axes=(0, None))({vec}, {scal})"),
    Shape("k: key, e: scal", "{scal}", "{vec+} = jax.vmap({name})(jax.random.split({key}, 3), {vec})"),
    Shape("v: vec", "{scal}", "{vec+} = jax.grad({name})({vec})"),
    Shape("v: vec", "{scal}", "{scal+}, {vec+} = jax.value_and_grad({name})({vec})"),
    Shape("v: vec", "({scal}, {vec})", "{vec+}, {vec+} = jax.grad({name}, has_aux=True)({vec})"),
    Shape("p: tree, v: vec", "{scal}", "{tree+} = jax.grad({name})({tree}, {vec})"),
    Shape("v: vec, t: scal", "{scal}", "{scal+} = jax.grad({name}, argnums=1)({vec}, {scal})"),
    Shape("v: vec", "{vec}", "{vec+} = jax.checkpoint({name})({vec})"),
    Shape("v: vec", "{vec}", "{vec+} = jax.jit({name})({vec})"),
    Shape("v: vec, m: n", "{vec}", "{vec+} = jax.jit({name}, static_argnums=1)({vec}, {n})"),
    Shape("v: vec, *, on: b", "{vec}", "{vec+} = jax.jit({name}, static_argnames='on')({vec}, on={b})"),
    Shape("v: vec, m: n", "{vec}", "{vec+} = jax.jit({name})({vec}, m={n})".replace("m={n}", "{n}"), ""),
    Shape("v: vec, t: scal", "{vec}", "{vec+} = jax.jit(functools.partial({name}, t={scal}))({vec})"),
    Shape("i: int, v: vec", "{vec}", "{vec+} = lax.fori_loop(0, 3, {name}, {vec})"),
    Shape("i: int, v: vec", "{vec}", "{vec+} = lax.fori_loop(0, {int}, {name}, lax.stop_gradient({vec}))"),
    Shape("v: vec", "{vec}", "{vec+} = lax.while_loop(lambda v: v.sum() < 3.0, {name}, {vec})"),
    Shape("v: vec", "{flag}", "{vec+} = lax.while_loop({name}, lambda v: v + 1.0, {vec})"),
    Shape("v: vec", "{vec}", "{vec+} = lax.cond({flag}, {name}, lambda v: v, {vec})"),
    Shape("v: vec, t: scal", "{vec}", "{vec+} = lax.cond({flag}, {name}, lambda v, t: v * t, {vec}, {scal})"),
    Shape("v: vec", "{vec}", "{vec+} = lax.switch({int}, [{name}, lambda v: -v], {vec})"),
    Shape("e: scal", "{scal}", "{vec+} = lax.map({name}, {vec})"),
    Shape("v: vec", "{vec}", "{vec+} = {name}({vec})"),
    Shape("v: vec, m: n = 2", "{vec}", "{vec+} = {name}({vec})"),
    Shape("v: vec, t: scal", "{vec}", "{vec+} = functools.partial({name}, {vec})({scal})"),
    Shape("v: vec", "{vec}", "{fun+} = {name}"),
    Shape("v: vec", "{vec}", "{vec+} = jax.jit(jax.vmap({name}))(jnp.stack({rows}))[0]"),
    Shape("v: vec", "{scal}", "{vec+} = jax.jit(jax.grad({name}))({vec})"),
    Shape("v: vec", "{scal}", "{vec+} = jax.vmap(jax.value_and_grad({name}))(jnp.stack({rows}))[1][0]"),
    Shape("v: vec", "{vec}", "{vec+} = jax.linearize({name}, {vec})[0]"),
    Shape("v: vec", "{vec}", "{vec+} = jax.tree.map({name}, {rows})[0]"),
    Shape("v: vec", "{vec}", "{vec+} = list(map({name}, {rows}))[0]"),
    Shape("*vs: rows, m: n = 1", "{vec}", "{vec+} = {name}(*{rows}, m={n})"),
    Shape("v: vec, **more: tree", "{vec}", "{vec+} = {name}({vec}, **{tree})"),
    *(
        Shape("v: vec", result, use, around=FACTORY, called="inner", knows=f"known: {known}")
        for result, use, known in (
            ("{vec}", "{vec+} = {name}({f})({vec})", "f"),
            ("{vec}", "{fun+} = {name}({vec})", "vec"),
            ("{vec}", "{vec+} = jax.jit({name}({n}))({vec})", "n"),
            ("{vec}", "{vec+} = {name}({key})({vec})", "key"),
            ("{scal}", "{vec+} = jax.grad({name}({tree}))({vec})", "tree"),
            ("{vec}", "{vec+} = {name}({fun})({vec})", "fun"),
        )
    ),
    Shape("carry: vec, e: scal", "{vec}, {scal}", "{vec+}, {vec+} = lax.scan({name}({vec}), {vec}, {vec})",
          around=FACTORY, called="inner", knows="known: vec"),
    Shape("e: scal", "{scal}", "{vec+} = jax.vmap({name}({scal}))({vec})",
          around=FACTORY, called="inner", knows="known: scal"),
    Shape("v: vec", "{vec}", "{vec+} = {name}({vec})", around=DECORATED),
    Shape("v: vec, m: n = 1", "{scal}", "{vec+} = jax.grad({name})({vec}, m={n})", around=DECORATED),
    Shape("self, carry: vec, e: scal", "{vec}, {scal}",
          "{vec+}, {vec+} = lax.scan({name}({vec}, {n}).step, {vec}, {vec})",
          around=CLASS, called="step", knows=FIELDS),
    Shape("self, carry: state, _", "{state}, {scal}",
          "{state+}, {vec+} = lax.scan({name}({vec}).step, {state}, jnp.arange(3))",
          around=CLASS, called="step", knows=FIELDS),
    Shape("carry: vec, e: scal", "{vec}, {scal}", "{vec+}, {vec+} = lax.scan({name}.step, {vec}, {vec})",
          around=STATIC_METHOD, called="step"),
    Shape("cls, carry: vec, e: scal", "{vec}, {scal}", "{vec+}, {vec+} = lax.scan({name}.step, {vec}, {vec})",
          around=CLASS_METHOD, called="step", knows="cls.rate: f"),
    Shape("self, v: vec", "{vec}", "{vec+} = {name}({vec}, {n})({vec})", around=CLASS, called="__call__", knows=FIELDS),
    Shape("self, v: vec", "{vec}", "{fun+} = {name}({vec}, {n})", around=CLASS, called="__call__", knows=FIELDS),
    Shape("self, v: vec", "{vec}", "{fun+} = {name}({vec}).apply", around=CLASS, called="apply", knows=FIELDS),
    Shape("self", "{vec}", "{vec+} = {name}({vec}, {n}).value", around=PROPERTY, called="value", knows=FIELDS),
    Shape("self, e: scal", "{scal}", "{vec+} = jax.vmap({name}({vec}, {n}).step)({vec})",
          around=CLASS, called="step", knows=FIELDS),
    Shape("self, v: vec", "{scal}", "{vec+} = jax.grad({name}({vec}).loss)({vec})",
          around=CLASS, called="loss", knows=FIELDS),
    Shape("self, v: vec, t: scal", "{vec}", "{vec+} = {name}({f}).apply({vec}, {scal})",
          around=OVERRIDES, called="apply", knows="self.scale: f"),
    Shape("self, v: vec", "{vec}", "{vec+} = {name}({f}).apply({vec}, {scal})",
          around=EXTENDS, called="inner", knows="self.scale: f"),
    Shape("carry, e: scal", "Run({keep}, {vec}), {scal}",
          "({key+}, {vec+}), {vec+} = lax.scan({name}, Run({key}, {vec}), {vec})", before="{keep+}, {vec+} = carry"),
    Shape("carry, e: scal", "carry._replace(key={keep}, w={vec}), {scal}",
          "({key+}, {vec+}), {vec+} = lax.scan({name}, Run({key}, {vec}), {vec})",
          before="{keep+}, {key+} = jax.random.split(carry.key)", knows="carry.w: vec"),
    Shape("carry: data, e: scal", "{data}, {scal}", "{data+}, {vec+} = lax.scan({name}, {data}, {vec})"),
    Shape("d: data", "{data}", "{data+} = lax.cond({flag}, {name}, lambda d: d, {data})"),
    Shape("d: data, v: vec", "{scal}", "{data+} = jax.grad({name})({data}, {vec})"),
    Shape("d: data", "{vec}", "{vec+} = jax.jit({name})({data})"),
    Shape("st: state", "{state}", "{state+} = lax.while_loop(lambda st: st.b < 3.0, {name}, {state})"),
    Shape("carry, e: scal", "«'key': {keep}, 'x': {vec}», {scal}",
          "{vec+} = lax.scan({name}, «'key': {key}, 'x': {vec}», {vec})[0]['x']",
          before="{keep+}, {vec+} = carry['key'], carry['x']"),
    Shape("carry: tree, e: scal", "«**carry, 'b': {scal}», {vec}", "{tree+}, {opt+} = lax.scan({name}, {tree}, {vec})"),
    Shape("i: int, p: tree", "{tree}", "{tree+} = lax.fori_loop(0, 3, {name}, {tree})"),
    Shape("p: tree", "{tree}", "{tree+} = lax.while_loop(lambda p: p['b'] < 3.0, {name}, {tree})"),
    Shape("p: tree", "{flag}", "{tree+} = lax.while_loop({name}, lambda p: p, {tree})"),
    Shape("t: scal, carry: vec, e: scal", "{vec}, {scal}",
          "{vec+}, {vec+} = lax.scan(functools.partial({name}, {scal}), {vec}, {vec})"),
    Shape("carry: vec, e: scal, *, m: n", "{vec}, {scal}",
          "{vec+}, {vec+} = lax.scan(functools.partial({name}, m={n}), {vec}, {vec})"),
    Shape("e: scal, t: vec", "{scal}", "{vec+} = jax.vmap(functools.partial({name}, t={vec}))({vec})"),
    Shape("v: vec, t: scal", "{vec}", "{fun+} = functools.partial({name}, t={scal})"),
    Shape("v: vec, m: n = 1", "{vec}", "{vec+} = {name}({vec}, m={n})", around=JITTED_BY_PARTIAL),
    Shape("e: scal, t: scal", "{scal}", "{vec+} = {name}({vec}, {scal})", around=MAPPED_BY_PARTIAL),
    Shape("v: vec", "{vec}", "{vec+} = [*{name}({vec}, {n})][-1]", around=REPEATS, called="{name}_step"),
    Shape("v: vec", "{vec}", "{vec+} = functools.reduce(jnp.add, {name}({vec}, 2))",
          around=REPEATS, called="{name}_step"),
    Shape("v: vec, m: n", "{vec}", "{vec+} = sum({name}({vec}, {n}), {vec})", ends="yield"),
    Shape("v: vec", "{vec}", "for {vec+} in {name}({vec}):\n    {block}", ends="yield"),
    Shape("v: vec", "{rows}", "{vec+} = next({name}({vec}), {vec})", ends="yield from"),
]  # fmt: skip

_USED = (
    "{name}({vec}, {scal})",
    "jax.grad(lambda v: {name}(v, {scal}).sum())({vec})",
    "jax.jvp(jnp.sin, ({vec},), (jax.grad(lambda v: {name}(v, {scal})[0])({vec}),))[1]",
)
_USED_WITH_STATIC = ("{name}({vec}, {n})", "jax.grad(lambda v: {name}(v, {n}).sum())({vec})")
HELPERS = [
    Shape("v: vec", "{vec}", "{name}({vec})"),
    Shape("v: vec, t: scal", "{vec}", "{name}({vec}, {scal})"),
    Shape("v: vec, m: n = 2", "{vec}", "{name}({vec}, m={n})"),
    Shape("v: vec, m: n = 2, on: b = False", "{vec}", "{name}({vec}, {n}, {b})"),
    Shape("v: vec, opt: opt = None", "{vec}", "{name}({vec}, {opt})"),
    Shape("v: vec, opt: opt = None", "{vec}", "{name}({vec})"),
    Shape("k: key, v: vec", "{vec}", "{name}({key}, {vec})"),
    Shape("k: key, n: n", "{vec}", "{name}({key}, {n})"),
    Shape("p: tree, v: vec", "{vec}", "{name}({tree}, {vec})"),
    Shape("st: state", "{vec}", "{name}({state})"),
    Shape("f: fun, v: vec", "{vec}", "{name}({fun}, {vec})"),
    Shape("d: data, v: vec", "{vec}", "{name}({data}, {vec})"),
    Shape("v: vec", "{vec}", "{name}({f})({vec})", around=FACTORY, called="inner", knows="known: f"),
    Shape("v: vec", "{vec}", "{name}({vec})({vec})", around=FACTORY, called="inner", knows="known: vec"),
    Shape("v: vec", "{vec}", "{name}({vec})", around=DECORATED),
    Shape("v: vec, m: n = 1", "{vec}", "{name}({vec}, m={n})", around=JITTED_BY_PARTIAL),
    Shape("v: vec", "{vec}", "sum({name}({vec}, {n}))", around=REPEATS, called="{name}_step"),
    Shape("self, v: vec", "{vec}", "{name}({vec}).apply({vec})", around=CLASS, called="apply", knows=FIELDS),
    Shape("self, v: vec", "{vec}", "{name}({vec})({vec})", around=CLASS, called="__call__", knows=FIELDS),
    Shape(
        "self, carry: vec, e: scal",
        "{vec}, {scal}",
        "lax.scan({name}({vec}).step, {vec}, {vec})[0]",
        around=CLASS,
        called="step",
        knows=FIELDS,
    ),
    Shape("self, v: vec", "{vec}", "{name}({vec}, {n}).apply({vec})", around=DATACLASS, called="apply", knows=FIELDS),
    Shape(
        "self",
        "{scal}",
        "jax.grad(lambda obj: obj.loss())({name}({vec}, {n})).w",
        around=DATACLASS,
        called="loss",
        knows=FIELDS,
    ),
    Shape(
        "self, e: scal",
        "dataclasses.replace(self, w={vec}), {scal}",
        "lax.scan({name}.step, {name}({vec}), {vec})[0].w",
        around=DATACLASS,
        called="step",
        knows=FIELDS,
    ),
]
DERIVATIVES = [
    Shape(parameters, result, use, around=around, called="{name}" + called)
    for around, called, parameters, result, uses in (
        (OWN_DERIVATIVE, "", "v: vec, t: scal", "{vec}", _USED),
        (OWN_FORWARD, "_fwd", "v: vec, t: scal", "{vec}, (v, t)", _USED),
        (OWN_BACKWARD, "_bwd", "saved: pair, g: vec", "{vec}, {scal}", _USED),
        (OWN_BACKWARD_OF_STATIC, "_bwd", "m: n, saved: vec, g: vec", "({vec},)", _USED_WITH_STATIC),
        (OWN_TANGENT, "_jvp", "primals: pair, tangents: pair", "{vec}, {vec}", _USED),
    )
    for use in uses
]
SCALARS = [
    Shape("v: vec", "{scal}", "{name}({vec})"),
    Shape("t: scal, m: n", "{scal}", "{name}({scal}, {n})"),
    Shape("p: tree, v: vec", "{scal}", "{name}({tree}, {vec})"),
    Shape("k: key", "{scal}", "{name}({key})"),
]
STATES = [Shape("st: state, t: scal", "{state}", "{name}({state}, {scal})")]
TREES = [Shape("p: tree, g: tree, lr: f = 0.1", "{tree}", "{name}({tree}, {tree}, lr={f})")]
HELPERS_BY_TYPE = [
    (HELPERS, "vec"), (HELPERS, "vec"), (DERIVATIVES, "vec"), (SCALARS, "scal"), (STATES, "state"), (TREES, "tree"),
]  # fmt: skip
DECORATORS = ["", "", "", "@jax.jit", "@jax.checkpoint"]

HEADER = """
import contextlib
import dataclasses
import functools
import itertools
import math
import random
import sys
import time
from typing import NamedTuple
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

class State(NamedTuple):
    w: jax.Array
    b: jax.Array

    def scaled(self, by):
        return self._replace(w=self.w * by)

    @property
    def total(self):
        return self.w.sum() + self.b

class Run(NamedTuple):
    key: jax.Array
    w: jax.Array

@functools.partial(jax.tree_util.register_dataclass, data_fields=['w', 'b'], meta_fields=['power'])
@dataclasses.dataclass(frozen=True)
class Data:
    w: jax.Array
    b: jax.Array
    power: int = 2

    def moved(self, by):
        return dataclasses.replace(self, w=self.w + by)

def scaled_by(scale):
    def scaled(v):
        return v * scale
    return scaled

def stream(key):
    while True:
        key, sub = jax.random.split(key)
        yield sub

LOG = []
TABLE = {'a': 1}
SEEN = set()
COUNT = 0
LAST = None
"""

ENTRY = "x: vec, s: scal, i: int, params: tree, key: key, n: n, flag: b, opt: opt"
ANNOTATIONS = {
    "x": "jax.Array",
    "s": "jax.Array",
    "i": "jax.Array",
    "params": "dict[str, jax.Array]",
    "n": "int",
    "flag": "bool",
}
"""Of the entry, of whose parameters `n`, `flag` and `opt` are no arrays: without them, ``x[0]`` could be a list's item,
and nothing could be said of it."""

ENTRIES = [
    "@functools.partial(jax.jit, static_argnames=('n', 'flag'))\n{definition}",
    "{definition}\nmain = jax.jit(main, static_argnums=(5, 6))",
    "{definition}\nmain = functools.partial(jax.jit, static_argnames=['n', 'flag'])(main)",
]
