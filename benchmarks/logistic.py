"""Logistic regression in a few lines, and the figures by which it is judged."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]


def newton(table: Array, gold: Array, weight: Array) -> Array:
    """Weights of the columns of `table`, intercept last, by Newton's method with a little ridge."""
    mean, spread = table.mean(0), table.std(0) + 1e-9
    design = np.c_[(table - mean) / spread, np.ones(len(table))]
    found = np.zeros(design.shape[1])
    for _ in range(40):
        chance = sigmoid(design @ found)
        gradient = design.T @ (weight * (chance - gold)) / weight.sum() + 1e-3 * np.r_[found[:-1], 0]
        curve = (design.T * (weight * chance * (1 - chance))) @ design / weight.sum() + 1e-3 * np.eye(len(found))
        found -= np.linalg.solve(curve, gradient)
    return np.r_[found[:-1] / spread, found[-1] - (found[:-1] * mean / spread).sum()]


def sigmoid(z: Array) -> Array:
    return np.asarray(1 / (1 + np.exp(-z)))


def f1(score: Array, gold: Array) -> tuple[float, float, float]:
    passed = score >= 0.5
    hits = float((passed & gold).sum())
    precision, recall = hits / max(1, passed.sum()), hits / max(1, gold.sum())
    return 2 * hits / max(1, passed.sum() + gold.sum()), precision, recall


def auc(score: Array, gold: Array) -> float:
    """The chance that a gold document scores above another one."""
    positive, negative = score[gold], score[~gold]
    return float(np.mean((positive[:, None] > negative) + 0.5 * (positive[:, None] == negative)))
