"""Cells as they run: IPython's side (`extension.py`) and, in a process of its own, what checks (`checker.py`)."""
