"""Completion scripts for shells, from what the command line knows of itself.

The scripts stand alone: commands, options, their values and the rules are written into them, so that a Tab starts no
process.  `Command` and `Option` say what can be completed; each shell has one function that says it in its language.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from shlex import quote

from jaxlint.vocabulary.rules import all_rules

FILES = "files"
RULE = "rule"
RULES = "rules"
"""One rule, or several by commas."""

_BY_METAVAR = {"FILE": FILES, "PATH": FILES, "PATTERNS": FILES, "FILE:LINE": FILES, "RULE": RULE, "RULES": RULES}
_WORDS_BY_METAVAR = {"LEVEL": ("possible", "likely", "certain"), "PLATFORMS": ("cuda", "rocm", "tpu")}


@dataclass(frozen=True)
class Value:
    """What an option or a command takes: one of some words, or what `FILES`, `RULE` or `RULES` name, or anything."""

    words: tuple[str, ...] = ()
    kind: str = ""


@dataclass(frozen=True)
class Option:
    flags: tuple[str, ...]
    help: str
    value: Value | None


@dataclass(frozen=True)
class Command:
    name: str
    help: str
    options: tuple[Option, ...]
    value: Value


def command(name: str, text: str, parser: argparse.ArgumentParser | None) -> Command:
    """What can be completed behind a command; without a parser that is some other program's command line."""
    if parser is None:
        return Command(name, text, (), Value(kind=FILES))
    options: list[Option] = []
    value = Value()
    for action in parser._actions:
        if action.option_strings:
            takes = None if action.nargs in (0, "?") else _value(action)  # an optional value is joined by `=`
            options.append(Option(tuple(action.option_strings), (action.help or "").split("; ")[0], takes))
        else:
            value = _value(action)
    return Command(name, text, tuple(options), value)


def _value(action: argparse.Action) -> Value:
    if action.choices is not None:
        return Value(tuple(map(str, action.choices)))
    metavar = action.metavar if isinstance(action.metavar, str) else ""
    return Value(_WORDS_BY_METAVAR.get(metavar, ()), _BY_METAVAR.get(metavar, ""))


def bash(commands: Sequence[Command]) -> Iterator[str]:
    """For bash 3.2 and newer.  Where nothing is proposed, readline proposes files."""
    yield f"_jaxlint_rules={quote(' '.join(word for word, _ in _rules()))}"
    yield from _BASH_HEAD.format(names="|".join(each.name for each in commands)).splitlines()
    yield '    case "$command $previous" in'
    for each in commands:
        for option in each.options:
            if option.value is not None:
                patterns = "|".join(f'"{each.name} {flag}"' for flag in option.flags)
                yield f"        {patterns}) {_bash_value(option.value)}; return ;;"
    yield "    esac"
    yield '    case "$command" in'
    for each in commands:
        flags = " ".join(flag for option in each.options for flag in option.flags)
        yield f"        {each.name}) options={quote(flags)}; values={quote(_bash_words(each.value))} ;;"
    yield "    esac"
    yield from _BASH_TAIL.format(names=" ".join(each.name for each in commands)).splitlines()


_BASH_HEAD = """\
_jaxlint_propose() {{
    COMPREPLY=($(compgen -W "$1" -- "$current"))
}}
_jaxlint_propose_list() {{
    local before=""
    [[ $current == *,* ]] && before="${{current%,*}},"
    COMPREPLY=($(compgen -P "$before" -W "$_jaxlint_rules" -- "${{current##*,}}"))
}}
_jaxlint() {{
    local current="${{COMP_WORDS[COMP_CWORD]}}" previous="${{COMP_WORDS[COMP_CWORD-1]}}"
    local command=check options="" values=""
    if [[ $current == = ]]; then
        current=""
    elif [[ $previous == = ]]; then
        previous="${{COMP_WORDS[COMP_CWORD-2]}}"
    fi
    if ((COMP_CWORD > 1)); then
        case "${{COMP_WORDS[1]}}" in
            {names}) command="${{COMP_WORDS[1]}}" ;;
        esac
    fi
    COMPREPLY=()\
"""

_BASH_TAIL = """\
    if [[ $current == -* ]]; then
        _jaxlint_propose "$options"
    elif ((COMP_CWORD == 1)); then
        _jaxlint_propose "{names}"
        local IFS=$'\\n'
        COMPREPLY+=($(compgen -f -- "$current"))
    elif [[ -n $values ]]; then
        _jaxlint_propose "$values"
    fi
}}
complete -o filenames -o default -F _jaxlint jaxlint\
"""


def _bash_value(value: Value) -> str:
    if value.kind == RULES:
        return "_jaxlint_propose_list"
    words = _bash_words(value)
    return f"_jaxlint_propose {quote(words)}" if words else ":"


def _bash_words(value: Value) -> str:
    return " ".join(word for word, _ in _rules()) if value.kind in (RULE, RULES) else " ".join(value.words)


def zsh(commands: Sequence[Command]) -> Iterator[str]:
    """For zsh, to be sourced or to be a file `_jaxlint` on the fpath."""
    yield "#compdef jaxlint"
    yield "_jaxlint_rules() {"
    yield f"    local -a rules=({_described(_rules())})"
    yield '    _describe -t rules rule rules "$@"'
    yield "}"
    yield "_jaxlint_commands() {"
    yield f"    local -a commands=({_described((each.name, each.help) for each in commands)})"
    yield "    _describe -t commands command commands"
    yield "}"
    yield "_jaxlint() {"
    yield "    local command=check first=1"
    yield f"    if ((CURRENT > 2)) && [[ $words[2] == ({'|'.join(each.name for each in commands)}) ]]; then"
    yield "        command=$words[2] first=0"
    yield "        shift words; ((CURRENT--))"
    yield "    fi"
    yield "    ((first && CURRENT == 2)) && [[ $words[2] != -* ]] && _jaxlint_commands"
    yield "    case $command in"
    for each in commands:
        yield f"        {each.name}) _arguments -s -S \\"
        for option in each.options:
            yield f"            {_zsh_option(option)} \\"
        yield f"            {quote('*' + _zsh_value(each.value))} ;;"
    yield "    esac"
    yield "}"
    yield 'if [[ $funcstack[1] == _jaxlint ]]; then _jaxlint "$@"; else compdef _jaxlint jaxlint; fi'


def _zsh_option(option: Option) -> str:
    told = "".join(f"\\{char}" if char in "[]:" else char for char in option.help)
    value = "" if option.value is None else _zsh_value(option.value)
    joined = ("", "") if option.value is None else ("=", "+")
    flags = ",".join(flag + joined[0 if flag.startswith("--") else 1] for flag in option.flags)
    flags = flags if len(option.flags) == 1 else f"{{{flags}}}"
    return f"'*'{flags}{quote(f'[{told}]{value}')}"


def _zsh_value(value: Value) -> str:
    if value.words:
        return f":value:({' '.join(value.words)})"
    # A leading blank keeps zsh from putting arguments of its own before ours.
    action = {FILES: "_files", RULE: "_jaxlint_rules", RULES: " _sequence -s , _jaxlint_rules"}.get(value.kind, " ")
    return f":{value.kind or 'value'}:{action}"


def _described(words: Iterator[tuple[str, str]]) -> str:
    return " ".join(quote(f"{word}:{text}") for word, text in words)


def fish(commands: Sequence[Command]) -> Iterator[str]:
    """For fish 3 and newer."""
    names = " ".join(each.name for each in commands)
    yield from _FISH_HEAD.format(names=names).splitlines()
    yield "function __jaxlint_rules"
    for word, text in _rules():
        yield f"    printf '%s\\t%s\\n' {word} {quote(text)}"
    yield "end"
    for each in commands:
        yield f"complete -c jaxlint -n __jaxlint_first -a {each.name} -d {quote(each.help)}"
    for each in commands:
        here = f"complete -c jaxlint -n '__jaxlint_command {each.name}'"
        for option in each.options:
            flags = " ".join(f"-l {flag[2:]}" if flag.startswith("--") else f"-s {flag[1:]}" for flag in option.flags)
            value = "" if option.value is None else f" {_fish_value(option.value)}"
            yield f"{here} {flags}{value} -d {quote(option.help)}"
        if each.value.kind == RULE:
            yield f"{here} -f -a '(__jaxlint_rules)'"
        elif each.value.words:
            yield f"{here} -f -a {quote(' '.join(each.value.words))}"


_FISH_HEAD = """\
function __jaxlint_first
    test (count (commandline -opc)) -eq 1
end
function __jaxlint_command
    set -l words (commandline -opc)
    set -l command check
    if set -q words[2]; and contains -- $words[2] {names}
        set command $words[2]
    end
    test $command = $argv[1]
end\
"""


def _fish_value(value: Value) -> str:
    if value.kind == FILES:
        return "-r -F"
    if value.kind == RULES:
        return "-x -a '(__fish_complete_list , __jaxlint_rules)'"
    if value.kind == RULE:
        return "-x -a '(__jaxlint_rules)'"
    return f"-x -a {quote(' '.join(value.words))}" if value.words else "-x"


SHELLS: dict[str, Callable[[Sequence[Command]], Iterator[str]]] = {"bash": bash, "fish": fish, "zsh": zsh}


def _rules() -> Iterator[tuple[str, str]]:
    """Every rule by its code, described by its name."""
    return ((rule.code, rule.name) for rule in all_rules().values())
