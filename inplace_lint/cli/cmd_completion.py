"""`inplace-lint completion SHELL`: a completion script for bash, zsh or fish.

    eval "$(inplace-lint completion bash)"        inplace-lint completion fish | source

The words come from the parser itself, so a new option completes without more ado.
"""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from inplace_lint.cli.main import FOUND_NOTHING, build_parser

if TYPE_CHECKING:
    from collections.abc import Callable

_BASH = """\
_inplace_lint() {{
    local current="${{COMP_WORDS[COMP_CWORD]}}" previous="${{COMP_WORDS[COMP_CWORD-1]}}" words=""
    case "${{COMP_WORDS[1]}} $previous" in
{values}
    esac
    if [[ "$COMP_CWORD" -eq 1 ]]; then
        words="{commands}"
    elif [[ -z "$words" ]]; then
        case "${{COMP_WORDS[1]}} $current" in
{options}
        esac
    fi
    COMPREPLY=($(compgen -W "$words" -- "$current"))
    [[ ${{#COMPREPLY[@]}} -eq 0 ]] && COMPREPLY=($(compgen -f -- "$current"))
    return 0
}}
complete -o filenames -F _inplace_lint inplace-lint
"""
_ZSH = "autoload -U +X bashcompinit && bashcompinit\n"


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the subcommand."""
    parser = commands.add_parser(
        "completion",
        help="print a shell completion script",
        description="Print a completion script for a shell.",
    )
    parser.add_argument("shell", choices=tuple(_SHELLS))
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print it."""
    sys.stdout.write(_SHELLS[arguments.shell](_commands()))
    return FOUND_NOTHING


def _commands() -> dict[str, list[argparse.Action]]:
    """The subcommands with their options and positional arguments."""
    parsers: dict[str, argparse.ArgumentParser] = {}
    for action in build_parser()._actions:
        if isinstance(action, argparse._SubParsersAction):
            parsers.update(action.choices)
    return {name: list(parser._actions) for name, parser in parsers.items()}


def _words(action: argparse.Action) -> list[str]:
    """The values an option or argument takes, as far as they are known."""
    from inplace_lint.checks.registry import registry
    from inplace_lint.report.registry import names

    if action.choices:
        return [str(choice) for choice in action.choices]
    if action.dest in {"select", "ignore", "extend_select", "codes"}:
        return list(registry())
    if action.dest == "format":
        return list(names())
    return []


def _bash(commands: dict[str, list[argparse.Action]]) -> str:
    values = []
    for name, actions in commands.items():
        for action in actions:
            words = _words(action)
            patterns = "|".join(f'"{name} {option}"' for option in action.option_strings)
            if words and patterns:
                values.append(f'        {patterns}) words="{" ".join(words)}" ;;')
    options = []
    for name, actions in commands.items():
        named = [option for action in actions for option in action.option_strings]
        plain = [w for action in actions if not action.option_strings for w in _words(action)]
        options.append(f'            "{name} -"*) words="{" ".join(named)}" ;;')
        options.append(f'            "{name} "*) words="{" ".join(plain)}" ;;')
    return _BASH.format(
        commands=" ".join(commands), values="\n".join(values), options="\n".join(options)
    )


def _zsh(commands: dict[str, list[argparse.Action]]) -> str:
    return _ZSH + _bash(commands)


def _fish(commands: dict[str, list[argparse.Action]]) -> str:
    lines = []
    for name, actions in commands.items():
        lines.append(f"complete -c inplace-lint -n __fish_use_subcommand -f -a {name}")
        condition = f"'__fish_seen_subcommand_from {name}'"
        for action in actions:
            parts = [f"complete -c inplace-lint -n {condition}"]
            for option in action.option_strings:
                flag = "-l" if option.startswith("--") else "-s"
                parts.append(f"{flag} {option.lstrip('-')}")
            if words := _words(action):
                parts.append(f"-x -a '{' '.join(words)}'")
            elif action.option_strings and action.nargs is None:
                parts.append("-r")
            if action.help:
                parts.append("-d " + _quoted(action.help.replace("%(prog)s", "inplace-lint")))
            lines.append(" ".join(parts))
    return "".join(f"{line}\n" for line in lines)


def _quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


_SHELLS: dict[str, Callable[[dict[str, list[argparse.Action]]], str]] = {
    "bash": _bash,
    "zsh": _zsh,
    "fish": _fish,
}
