"""Files, documents and programs: what is read, before anything is understood."""
