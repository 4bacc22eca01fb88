"""Lets the tests of this folder import its generators, as the script fuzz.py does."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
