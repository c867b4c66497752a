"""Points, rectangles and quads in user space: PDF points, origin at the lower left, y upwards, page not rotated."""

from __future__ import annotations

from dataclasses import dataclass

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Rect:
    """An upright rectangle with `x0 <= x1` and `y0 <= y1` (ISO 32000-2, 7.9.5), in points."""

    x0: float
    y0: float
    x1: float
    y1: float

    @classmethod
    def from_corners(cls, x0: float, y0: float, x1: float, y1: float) -> Rect:
        """Build a rectangle from any two opposite corners."""
        return cls(min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1))

    @property
    def width(self) -> float:
        return self.x1 - self.x0

    @property
    def height(self) -> float:
        return self.y1 - self.y0

    def intersect(self, other: Rect) -> Rect | None:
        """The common rectangle, or None where the two share no area."""
        x0, y0 = max(self.x0, other.x0), max(self.y0, other.y0)
        x1, y1 = min(self.x1, other.x1), min(self.y1, other.y1)
        return Rect(x0, y0, x1, y1) if x0 < x1 and y0 < y1 else None


@dataclass(frozen=True, slots=True)
class Quad:
    """Four corners around a piece of text, named as its reader sees them, so that rotated text keeps its slant."""

    lower_left: Point
    lower_right: Point
    upper_right: Point
    upper_left: Point

    @property
    def bounds(self) -> Rect:
        """The upright rectangle around the quad."""
        xs, ys = zip(self.lower_left, self.lower_right, self.upper_right, self.upper_left, strict=True)
        return Rect(min(xs), min(ys), max(xs), max(ys))
