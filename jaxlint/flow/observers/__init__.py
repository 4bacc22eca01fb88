"""What watches a run: reads from outside, compiling anew, what is traced by what."""
