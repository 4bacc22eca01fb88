"""Where an edit that means nothing does change what is said: the kind of edit, the program, and why that is so.

An entry that is no difference any more fails the test (`test_meaning.py`) or is told of by the benchmark.
"""

from __future__ import annotations

PURPOSE = "what a key is used for, or a write made for, is read off the function that it stands in, not off its caller"
HANDED_BACK = "a function that hands back what it has used up is told of, not the caller, who may expect that it fails"
OF_ITS_OWN = "of its own the helper is given what nobody knows, where its caller gives what is harmless"
ONE_STATEMENT = "how often a function is compiled is read off the one statement that makes and calls it"
IN_A_PASS = "what changes, or waits, in each pass of a loop is asked where the loop stands, not of what the pass calls"
CAST = "that a result is cast is read off the expression that it is made in"
RULES = "rules for derivatives that another module may give are looked for by name"
IN_REACH = "which method an unknown object may have is looked for among the classes in reach of the module of the call"
BELOW = "what a function compiles while its module is read is traced there, before what comes later is known"
BETWEEN = "what is set between two calls of a compiled function is looked for where one body does all three"
TWICE = "a time is told of in the helper that is given where it begins, and once more of the caller that gets its end"
EXPECTED = "that a test expects a function to fail is read off what its own module does with its name"
UPDATES = "which results of an optimiser's update nobody uses is read off the function that calls it"
DROPPED = (
    "that a result is dropped is told of what libraries compute; a function of the program may be called to be run"
)
CHOSEN = "by which condition a value was chosen is not remembered with what a helper hands back"
IN_VAIN = (
    "that a change is made in vain is asked of the function that makes it, and the helper hands back what it changed"
)
FACTORS = "by what an array was multiplied is read off the expressions of the function that goes on"
MAPS = "that a map runs nothing else of the program is seen of functions of its module and of those that it imports"
DEFAULT = "which number a parameter gets is told of helpers' results, not of what is computed in the call"
ON_A_KEY = "that what nobody knows is a key is read off the call that draws from `key + step` in one expression"

_PLACES: dict[str, list[tuple[str, str]]] = {
    ON_A_KEY: [("split statements", "JAX409-bad-32")],
    UPDATES: [
        ("extracted helpers", "JAX303-bad-241"),
        (
            "extracted helpers",
            "certainty/dropped/an-optimiser-s-new-state-that-a-loop-goes-on-without-and-gradients-that-are-added-in-place-of-the-updates",
        ),
        (
            "extracted helpers",
            "certainty/dropped/an-optimiser-s-new-state-that-nobody-wants-of-one-that-goes-by-what-it-has-seen-in-a-loop",
        ),
    ],
    DROPPED: [
        ("inlined helpers", "traced/loops_and_branches/branches-of-a-switch-stand-in-no-list"),
        ("inlined helpers", "values/arguments_of_random/samplers-are-asked-for-a-size-as-those-of-NumPy"),
        ("inlined helpers", "values/members/names-that-NumPy-once-had"),
        ("inlined helpers", "values/members/dtypes-by-the-names-of-Python-s-types"),
    ],
    CHOSEN: [
        (
            "extracted helpers",
            "traced/chosen_values/chosen-by-a-conditional-expression-which-nobody-is-seen-to-come-to",
        ),
    ],
    IN_VAIN: [
        (
            "extracted helpers",
            "values/changed_in_vain/a-function-that-gives-something-else-whether-the-caller-was-to-see-the-change-is-only-possible",
        ),
    ],
    MAPS: [
        (
            "other modules",
            "certainty/unseen/what-is-compiled-where-the-only-map-with-that-name-runs-what-a-class-a-function-or-another-module-has",
        ),
    ],
    FACTORS: [
        ("extracted helpers", "values/wrapping/factors-by-the-name-of-the-size-and-a-product-that-has-a-name"),
    ],
    DEFAULT: [
        ("inlined helpers", "values/dtypes/a-number-of-NumPy-comes-as-a-default-in-an-object-or-from-a-helper"),
    ],
    EXPECTED: [
        ("other modules", "traced/expected_refusals/a-test-says-that-what-is-compiled-of-it-is-refused"),
    ],
    CAST: [
        ("extracted helpers", "JAX319-good-109"),
    ],
    RULES: [
        ("made by factories", "traced/across_modules/rules-that-a-script-gives-to-a-function-of-another-module"),
        ("other modules", "JAX609-bad-33"),
    ],
    IN_REACH: [
        ("other modules", "keys/declared/a-union-that-is-written-in-the-old-way"),
        ("other modules", "keys/unseen/a-method-as-lists-have-it-which-the-program-has-too-and-draws-in"),
        ("other modules", "JAX503-bad-29"),
    ],
    BELOW: [
        (
            "made by factories",
            "traced/across_modules/a-reference-that-a-module-hands-to-a-function-of-another-one",
        ),
    ],
    BETWEEN: [
        ("extracted helpers", "certainty/settings/a-setter-that-another-module-calls-between-two-calls"),
        (
            "extracted helpers",
            "traced/stale_reads/an-item-of-a-dict-and-an-attribute-of-a-record-that-are-set-between-two-calls",
        ),
    ],
    TWICE: [
        ("extracted helpers", "values/clocks/one-time-that-is-used-twice-and-the-time-between-two-callbacks"),
    ],
    ONE_STATEMENT: [
        ("extracted helpers", "values/clocks/the-time-in-which-a-compiled-function-is-only-made"),
    ],
    IN_A_PASS: [
        ("extracted helpers", "equal_draws/made_in_loops/in-a-function-that-each-pass-calls-for-something-else"),
        ("extracted helpers", "traced/stale_reads/an-attribute-of-a-class-that-a-function-made-anew-reads"),
        ("extracted helpers", "certainty/looked_at/what-some-passes-keep-is-taken-away-by-the-next-one"),
        ("extracted helpers", "traced/changing_shapes/rows-from-a-number-on-that-is-computed-in-each-pass"),
        (
            "extracted helpers",
            "traced/found_by_static_arguments/a-number-that-a-loop-computes-of-a-fraction-and-its-counter",
        ),
        (
            "extracted helpers",
            "traced/found_by_static_arguments/a-number-of-Python-s-is-static-for-equinox-which-traces-arrays",
        ),
        ("extracted helpers", "JAX507-bad-30"),
        ("extracted helpers", "JAX512-bad-27"),
        ("extracted helpers", "traced/changing_shapes/a-list-of-arrays-passed-as-it-is"),
        ("extracted helpers", "traced/changing_shapes/a-list-that-grows-by-an-augmented-assignment"),
        ("extracted helpers", "traced/changing_shapes/an-array-that-each-pass-stacks-below-what-there-is"),
        (
            "extracted helpers",
            "traced/found_by_static_arguments/a-number-that-changes-and-is-traced-of-a-method-whose-object-is-static",
        ),
    ],
    PURPOSE: [
        ("inlined helpers", "certainty/initialised/a-target-network-by-a-function-that-makes-its-module"),
        ("inlined helpers", "certainty/initialised/the-value-that-a-gradient-is-of"),
        ("extracted helpers", "certainty/looked_at/printed-to-be-seen"),
        (
            "split statements",
            "certainty/moved_on/a-step-that-returns-the-successor-of-the-key-after-something-else-had-it",
        ),
        (
            "inlined helpers",
            "certainty/moved_on/a-step-that-returns-the-successor-of-the-key-after-something-else-had-it",
        ),
        ("inlined helpers", "certainty/settings/the-settings-of-a-run-whose-number-is-the-seed"),
        ("inlined helpers", "certainty/swept/each-setting-has-a-number-of-its-own"),
        ("extracted helpers", "keys/ignored/wrappers-around-the-unseen"),
        ("extracted helpers", "JAX402-bad-29"),
        ("extracted helpers", "certainty/moved_on/the-child-that-was-meant-is-there-and-nothing-reads-it"),
        ("other modules", "certainty/passed_on/read-by-what-others-run-too"),
    ],
    HANDED_BACK: [
        ("extracted helpers", "values/donated/reading-is-expected-to-fail"),
    ],
    OF_ITS_OWN: [
        ("extracted helpers", "certainty/looked_at/functions-of-the-program-read-what-was-donated"),
        ("extracted helpers", "keys/loops/key-of-a-zip-used-twice"),
        ("extracted helpers", "keys/ignored/wrappers-around-one-of-two-that-draw"),
        ("extracted helpers", "keys/ignored/wrappers-around-one-that-draws"),
        ("extracted helpers", "keys/unseen/recursion-that-draws-once"),
        ("extracted helpers", "traced/what_arguments_are/argument-next-to-a-dict"),
    ],
}

EXPLAINED: dict[tuple[str, str], str] = {place: why for why, places in _PLACES.items() for place in places}
"""Why a program is judged differently after an edit of a kind; a program ``*`` stands for all."""
