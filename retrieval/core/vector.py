"""Vectors of length 1, whose inner product is the cosine."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float32]
"""Shape (D,)."""

Vectors = NDArray[np.float32]
"""Shape (N, D)."""


def unit(vectors: Vectors) -> Vectors:
    """Scale each row to length 1; a row of zeros becomes the first axis, so that every text has a direction."""
    rows: Vectors = np.array(vectors, dtype=np.float32, ndmin=2, copy=True)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    empty = lengths[:, 0] == 0
    rows[empty, 0] = 1.0
    lengths[empty] = 1.0
    return np.asarray(rows / lengths, dtype=np.float32)
