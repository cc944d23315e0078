"""Where the parts of a page are, from the geometry of its text alone: lines, blocks, labels."""
