"""``python -m jaxlint`` is the command ``jaxlint``."""

from jaxlint.cli import command

command()
