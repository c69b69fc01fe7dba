"""What a caller's arguments mean: names, words and places, and how they were understood."""
