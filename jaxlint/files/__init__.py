"""Files of any kind, read and written with care."""
