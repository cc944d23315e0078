"""Forms in which records leave and enter: one file a form, each with `read(text)` and `write(records)`."""
