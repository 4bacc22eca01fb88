"""Where an edit that means nothing does change what is said: the kind of edit, the program, and why that is so.

An entry that is no difference any more fails the test (`test_meaning.py`) or is told of by the benchmark.
"""

from __future__ import annotations

DEMOS = (
    "what shows what a module offers is known by the function of the module, by its name, that only the module calls"
)
PURPOSE = "what a key is used for, or a write made for, is read off the function that it stands in, not off its caller"
GLOBALS = "that a function makes another one, and not more, is seen of functions of the module only"
RECURSIVE = "what a function that calls itself does with a key is read off its text, if it is a global one"
HANDED_BACK = "a function that hands back a key that it has used is told of, not the caller that uses it again"
OF_ITS_OWN = "of its own the helper is given what nobody knows, where its caller gives what is harmless"
REFERENCES = "whether a parameter may be a reference is read off the module of the function"
ONE_STATEMENT = "how often a function is compiled is read off the one statement that makes and calls it"

WAITS = "whether a pass of a loop waits for the device is asked where the loop stands, not of what the pass calls"
CAST = "that a result is cast is read off the expression that it is made in"
IN_TIME = "whether something is set in time besides is looked for in the module that sets it"
RULES = "rules for derivatives that another module may give are looked for by name"

_PLACES: dict[str, list[tuple[str, str]]] = {
    DEMOS: [
        ("made by factories", "certainty/demos/a-module-of-a-package-that-another-imports"),
        ("static methods", "certainty/demos/a-module-of-a-package-that-another-imports"),
    ],
    RECURSIVE: [
        ("made by factories", "keys/ignored/a-check-of-types-over-a-tree"),
    ],
    CAST: [
        ("extracted helpers", "JAX319-good-109"),
    ],
    IN_TIME: [
        ("other modules", "JAX310-good-211"),
    ],
    RULES: [
        ("other modules", "JAX609-bad-33"),
    ],
    ONE_STATEMENT: [
        ("extracted helpers", "JAX502-bad-27"),
    ],
    WAITS: [
        ("extracted helpers", "JAX516-bad-27"),
        ("extracted helpers", "traced/habits_of_real_code/train-loop"),
    ],
    PURPOSE: [
        ("made by factories", "certainty/looked_at/with-something-on-and-off"),
        ("other modules", "certainty/passed_on/read-by-what-others-run-too"),
        ("static methods", "certainty/unread/returned-to-where-it-is-overwritten"),
    ],
    GLOBALS: [
        ("made by factories", "traced/stale_reads/global-set-before-the-first-call-of-what-is-made"),
        ("made by factories", "traced/stale_reads/made-anew-after-another-setting"),
        ("static methods", "traced/stale_reads/global-set-before-the-first-call-of-what-is-made"),
        ("static methods", "traced/stale_reads/made-anew-after-another-setting"),
    ],
    REFERENCES: [
        ("other modules", "traced/writes_outside/references"),
        ("other modules", "traced/writes_outside/variable-that-is-a-reference"),
    ],
    HANDED_BACK: [
        ("extracted helpers", "JAX403-bad-78"),
    ],
    OF_ITS_OWN: [
        ("extracted helpers", "JAX603-bad-111"),
        ("extracted helpers", "keys/folded/folds-moved-beyond-the-children"),
        ("extracted helpers", "keys/ignored/wrappers-around-one-of-two-that-draw"),
        ("extracted helpers", "keys/ignored/wrappers-around-one-that-draws"),
        ("extracted helpers", "keys/traced_loops/read-back-off-the-object-that-keeps-it"),
        ("extracted helpers", "keys/unseen/recursion-that-draws-once"),
        ("extracted helpers", "traced/what_arguments_are/argument-next-to-a-dict"),
    ],
}

EXPLAINED: dict[tuple[str, str], str] = {place: why for why, places in _PLACES.items() for place in places}
"""Why a program is judged differently after an edit of a kind; a program ``*`` stands for all."""
