"""``python -m jaxlint`` is the command ``jaxlint``.

Python puts the current folder first on the path then, so that a `re.py` or `typing.py` in it would stand for the
library's: it is taken off before anything else is imported.
"""

import sys

if not (sys.flags.isolated or getattr(sys.flags, "safe_path", False)):  # then it was not put there
    sys.path[:1] = []

try:
    from jaxlint.command.cli import command
except KeyboardInterrupt:  # Ctrl-C while there is nobody yet to say so
    sys.exit(130)

command()
