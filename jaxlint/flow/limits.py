"""Every limit of the analysis, with what is lost when it is met, and what is known of an entry that broke off.

A limit that is met only ever loses claims.  `docs/limits.md` shows this table to users.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Limit:
    """At most ``value`` of what ``name`` says; ``lost`` is what the analysis does not know where there is more.

    ``counted``: those who ask are told where it was met (`Met`).
    """

    name: str
    value: int
    unit: str
    lost: str
    counted: bool = False

    @property
    def most(self) -> str:
        return f"at most {self.value:,} {self.unit}"


# -- calls that are followed ---------------------------------------------------------------------------

MAX_DEPTH = Limit(
    "calls inside one another that are run in their place, as calls without a summary are", 8, "calls",
    "what deeper calls do; the functions are analysed from their own entry points", counted=True,
)  # fmt: skip
SHARED_DEPTH = Limit(
    "calls inside one another that are looked at for a result that calls with any constants share", 6, "calls",
    "what deeper calls give", counted=True,
)  # fmt: skip
WORK_LIMIT = Limit(
    "statements of one function, with all that is run in its place", 8_000, "statements",
    "what later calls and traces of the function do", counted=True,
)  # fmt: skip
NESTED_FUNCTIONS = Limit(
    "functions written around one that is called or traced", 8, "functions",
    "what the function does that is written in them", counted=True,
)  # fmt: skip
RECURSION = Limit(
    "passes through a function that calls itself", 1, "pass",
    "what the inner call does; a key that it is given counts as handed on", counted=True,
)  # fmt: skip
MAX_VARIANTS = Limit(
    "calls of one function that differ in constants, or in what objects hold, and are each looked at", 24, "calls",
    "the constants of further calls, which share one result", counted=True,
)  # fmt: skip
MOST_CALLEES = Limit(
    "functions of which a call may mean any, without a key among its arguments", 12, "functions",
    "what the call does", counted=True,
)  # fmt: skip
MOST_CALLABLES = Limit(
    "functions, classes or objects in a table or list of which any may be meant", 12, "functions",
    "which functions or objects a look-up there may give",
)  # fmt: skip
MAX_LAYERS = Limit(
    "transforms and partials around one function", 16, "layers",
    "what the outermost of them makes", counted=True,
)  # fmt: skip
COMPARED_DEPTH = Limit(
    "values inside one another that tell whether a closure was traced like this before", 4, "values",
    "what the inner ones make different in a further trace of it",
)  # fmt: skip
INITIAL_DEPTH = Limit(
    "calls inside one another before a constructor that nobody called is looked into", 6, "calls",
    "the attributes that objects of the class begin with", counted=True,
)  # fmt: skip

# -- loops and repetition --------------------------------------------------------------------------------

MAX_EVALUATIONS = Limit(
    "expressions evaluated for one function, or one statement of a module's body", 1_000_000, "expressions",
    "the rest of the entry, which is told as JAX004; what no other limit foresees ends here", counted=True,
)  # fmt: skip
FEW_EVALUATIONS = Limit(
    "expressions evaluated for one function before its loops run once", 50_000, "expressions",
    "what only a second pass of a loop shows", counted=True,
)  # fmt: skip
MAX_PASSES = Limit(
    "passes of the innermost of nested loops, multiplied with those around it", 256, "passes",
    "what differs from item to item of a loop over known items", counted=True,
)  # fmt: skip
UNROLL_LIMIT = Limit(
    "known items of a loop or comprehension that are run one by one", 8, "items",
    "what differs from item to item",
)  # fmt: skip
COUNTED_ITEMS = Limit(
    "numbers of a `range` that are gone through one by one", 4, "numbers",
    "which number a pass has",
)  # fmt: skip
UNKNOWN_PASSES = Limit(
    "passes of a comprehension over unknown items, and over the leaves of an unknown tree", 2, "passes",
    "what only a later pass shows",
)  # fmt: skip
PASS_LIMIT = Limit(
    "passes of a loop that go on while each leaves something new behind", 12, "passes",
    "what its variables hold afterwards", counted=True,
)  # fmt: skip
REPEATED_GENERATORS = Limit(
    "nested generators of a comprehension that run more than once", 3, "generators",
    "what only a second pass of the inner ones shows", counted=True,
)  # fmt: skip

# -- what is known of values -----------------------------------------------------------------------------

KNOWN_ITEMS = Limit(
    "items of a sequence or dict that are known one by one", 64, "items",
    "which item is which",
)  # fmt: skip
KNOWN_ARGUMENTS = Limit(
    "items of a sequence that are unpacked into a call, or chosen or compared by one", 32, "items",
    "which item is which",
)  # fmt: skip
REPEATED_ITEMS = Limit(
    "items of a sequence that is multiplied by a number", 32, "items",
    "how many items there are, and which is which",
)  # fmt: skip
MAX_PARTS = Limit(
    "parts of tuples in tuples", 2_000, "parts",
    "what the inner tuples hold",
)  # fmt: skip
MOST_OPTIONS = Limit(
    "values of which a variable may hold any, after different paths", 4, "values",
    "everything about the variable",
)  # fmt: skip
MAX_COPIES = Limit(
    "objects in one value that crosses the border of a trace", 1_000, "objects",
    "what further objects in it hold",
)  # fmt: skip
LIFTED_DEPTH = Limit(
    "containers inside one another in a value that is copied, or crosses the border of a trace", 4, "containers",
    "what the inner ones hold",
)  # fmt: skip
MAPPED_LEAVES = Limit(
    "leaves of a tree that `tree.map` is followed for one by one", 16, "leaves",
    "which leaf is which",
)  # fmt: skip
LEAF_DEPTH = Limit(
    "containers inside one another in a tree that `tree.map` is followed for leaf by leaf", 3, "containers",
    "which leaf is which",
)  # fmt: skip
TREE_DEPTH = Limit(
    "containers inside one another in a tree that a function of JAX goes through", 6, "containers",
    "what the inner ones hold",
)  # fmt: skip
SHOWN_PARTS_DEPTH = Limit(
    "containers inside one another that are searched for a tracer", 3, "containers",
    "whether the inner ones hold one",
)  # fmt: skip
STACKED_DEPTH = Limit(
    "containers inside one another whose arrays an operation stacks", 3, "containers",
    "what the inner ones hold",
)  # fmt: skip
COMPUTED_DEPTH = Limit(
    "operations one after the other of which a differentiated array remembers what they were made of", 12, "operations",
    "where the slope of what comes later is not finite",
)  # fmt: skip
REACHED_DEPTH = Limit(
    "containers inside one another that are searched for an object that was changed", 5, "containers",
    "whether the change leaves the function",
)  # fmt: skip
HANDED_OUT_DEPTH = Limit(
    "containers inside one another that are searched for a function", 4, "containers",
    "whether the function leaves the one that made it",
)  # fmt: skip
ORDERED_DEPTH = Limit(
    "values inside one another that are compared from pass to pass of a loop", 8, "values",
    "whether an inner one changes, so that the loop runs on to its limit",
)  # fmt: skip
SUMMARY_DEPTH = Limit(
    "tuples inside one another that a call can be told apart by", 4, "tuples",
    "nothing: such a call is run in its place",
)  # fmt: skip
SUMMARY_ITEMS = Limit(
    "items of a tuple that a call can be told apart by", 64, "items",
    "nothing: such a call is run in its place",
)  # fmt: skip
ASKED_DEPTH = Limit(
    "objects and closures that one call reaches through one another", 8, "objects",
    "what further ones are", counted=True,
)  # fmt: skip
ASKED_PARTS = Limit(
    "parts of objects that one call asks for", 400, "parts",
    "what further ones are", counted=True,
)  # fmt: skip
RESULT_FRAMES = Limit(
    "functions around what a call gives, that had made it, in a result that is kept for others", 8, "functions",
    "nothing: such a call is run in its place",
)  # fmt: skip
RESULT_PARTS = Limit(
    "objects that the result of a call holds", 500, "objects",
    "what the result is", counted=True,
)  # fmt: skip
MOST_CLASSES = Limit(
    "classes of which an annotation may name one", 6, "classes",
    "which methods an object that nobody knows has",
)  # fmt: skip
DERIVED_CLASSES = Limit(
    "classes derived from that of a traced method, for each of which it is run", 24, "classes",
    "what the methods of further ones do under the trace", counted=True,
)  # fmt: skip
STATIC_FIELD_DEPTH = Limit(
    "functions that pass on to one another how a field of a class is declared", 3, "functions",
    "whether the field is static",
)  # fmt: skip
DEEPEST_MAP = Limit(
    "maps inside one another that are told apart", 3, "maps",
    "of which of the outer ones a key is one of many",
)  # fmt: skip
LIBRARY_LAYERS = Limit(
    "layers of a library's `Sequential` that are looked at", 64, "layers",
    "whether one of them makes parameters",
)  # fmt: skip
LOOKED_AT = Limit(
    "running functions, the innermost ones, whose use of a parameter tells what it is", 4, "functions",
    "what the outer ones show of it",
)  # fmt: skip

# -- keys ------------------------------------------------------------------------------------------------

REMEMBERED = Limit(
    "uses of one key that are kept", 8, "uses",
    "reuses that only a use between shows",
)  # fmt: skip
MOST_ALTERNATIVES = Limit(
    "keys of which one may be any", 12, "keys",
    "the reuse of further ones",
)  # fmt: skip
RETURNED_DEPTH = Limit(
    "containers inside one another that are searched for keys that are returned", 4, "containers",
    "that an inner key is handed back",
)  # fmt: skip
KEY_PARTS = Limit(
    "arguments of a call that are searched for the key that it is handed", 32, "arguments",
    "which argument is the key: the whole call is shown",
)  # fmt: skip
ANY_RANK = Limit(
    "dimensions of a key array of unknown rank", 32, "dimensions",
    "that an element is one key, after so many indexes",
)  # fmt: skip
MOST_METHODS = Limit(
    "methods of one name that a call may mean, whose text tells what becomes of a key", 64, "methods",
    "whether the call draws from the key",
)  # fmt: skip
MOST_CALLS = Limit(
    "calls inside one another whose text tells what becomes of a key", 6, "calls",
    "whether the innermost draws from it",
)  # fmt: skip

# -- what two uses of a key are there for: with more the finding stays as certain as it is -----------------

MAX_READERS = Limit(
    "statements that a drawn value is followed through", 12, "statements",
    "that only its shape counts",
)  # fmt: skip
MAX_CONDITIONS = Limit(
    "conditions of a function that two results are held against", 32, "conditions",
    "that only one of them counts",
)  # fmt: skip
MOST_NAMES = Limit(
    "names that a condition is followed through", 4, "names",
    "what the condition stands for",
)  # fmt: skip
MOST_DRAWS = Limit(
    "draws of two uses of a key that may keep rows together", 8, "draws",
    "that the draws belong together",
)  # fmt: skip
MOST_TIMED = Limit(
    "names that may hold a function that `timeit` runs", 8, "names",
    "that the function is only timed",
)  # fmt: skip
MOST_WAYS = Limit(
    "places that lead to one use of a key", 8, "places",
    "that nobody reads what comes of it",
)  # fmt: skip
MOST_STEPS = Limit(
    "nodes that are looked at to see whether a value is used", 20_000, "nodes",
    "that nobody reads the value",
)  # fmt: skip
MOST_LINES = Limit(
    "lines of a function that is searched for uses of a value", 250, "lines",
    "that nobody reads the value",
)  # fmt: skip
SETTLING_PASSES = Limit(
    "passes of a loop that is searched for uses of a value", 4, "passes",
    "that nobody reads the value",
)  # fmt: skip

# -- what is told of a finding ----------------------------------------------------------------------------

REASON_STEPS = Limit(
    "steps of one way to a finding that are told, the last ones", 4, "steps",
    "how it begins",
)  # fmt: skip
SUMMARY_WAYS = Limit(
    "ways to one event in what calls of a function share", 16, "ways",
    "further ways inside the function",
)  # fmt: skip
MOST_REASONS = Limit(
    "ways to one finding that are told beside the shortest", 8, "ways",
    "what the longer ones are: they are only counted",
)  # fmt: skip

LIMITS: dict[str, Limit] = {name: value for name, value in list(globals().items()) if isinstance(value, Limit)}
"""All of them, by the names that the code has for them."""

PASS_COST = 20
"""What running a loop once more counts for beside the evaluations in it: states are forked and joined."""


class TooMuchWork(Exception):
    """An entry needs more evaluations than it may have."""
