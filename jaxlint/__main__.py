"""``python -m jaxlint`` is the command ``jaxlint``."""

import sys

from jaxlint.cli import main

sys.exit(main())
