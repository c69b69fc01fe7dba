"""A chart as JSON that a person can read, edit and give back.

What is left out has its usual value. A thing may be given by its name alone, and an entry without
a place in the note is written down as a sentence of its own, so that every entry has words to quote.
"""
