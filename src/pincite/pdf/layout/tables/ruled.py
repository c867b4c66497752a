"""Grids from rules: horizontal and vertical ones that meet, and the rectangles between them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pincite.pdf.layout.tables.grid import Draft, Grid
from pincite.pdf.layout.tables.rules import Rule, Rules

MEET = 2.5
"""Rules that miss each other by no more than this meet, in points."""
SAME_BOUNDARY = 3.0
"""Rules whose places differ by no more than this bound the same rows or columns."""
WALL = 0.6
"""The share of a place's side that must be drawn to part it from its neighbour."""
MOST_RULES = 1500


def find_grids(rules: Rules) -> list[Grid]:
    """The grids of rules that hang together, with at least two columns or two rows of places."""
    grids = []
    for horizontal, vertical in _components(rules.horizontal, rules.vertical):
        if len(horizontal) >= 2 and len(vertical) >= 1:
            grid = _grid(horizontal, vertical)
            if grid is not None:
                grids.append(grid)
    return grids


def _components(horizontal: Sequence[Rule], vertical: Sequence[Rule]) -> Iterable[tuple[list[Rule], list[Rule]]]:
    """Sets of rules that cross or touch."""
    if len(horizontal) > MOST_RULES or len(vertical) > MOST_RULES:
        return
    parents = list(range(len(horizontal) + len(vertical)))

    def root(index: int) -> int:
        while parents[index] != index:
            parents[index] = parents[parents[index]]
            index = parents[index]
        return index

    for number, upright in enumerate(vertical, len(horizontal)):
        low, high, at = upright.low - MEET, upright.high + MEET, upright.at
        for index, rule in enumerate(horizontal):
            if low <= rule.at <= high and rule.low - MEET <= at <= rule.high + MEET:
                parents[root(index)] = root(number)
    found: dict[int, tuple[list[Rule], list[Rule]]] = {}
    for index, rule in enumerate(horizontal):
        found.setdefault(root(index), ([], []))[0].append(rule)
    for index, rule in enumerate(vertical, len(horizontal)):
        found.setdefault(root(index), ([], []))[1].append(rule)
    yield from found.values()


def cluster(values: Iterable[float], apart: float) -> list[float]:
    """The middles of groups of values in ascending order, where no group is wider than `apart`."""
    groups: list[list[float]] = []
    for value in sorted(values):
        if groups and value - groups[-1][0] <= apart:
            groups[-1].append(value)
        else:
            groups.append([value])
    return [0.5 * (group[0] + group[-1]) for group in groups]


def _grid(horizontal: Sequence[Rule], vertical: Sequence[Rule]) -> Grid | None:
    ys = cluster((rule.at for rule in horizontal), SAME_BOUNDARY)
    xs = cluster((rule.at for rule in vertical), SAME_BOUNDARY)
    # a table without lines at its sides goes as far as its other lines do
    left, right = min(rule.low for rule in horizontal), max(rule.high for rule in horizontal)
    bottom, top = min(rule.low for rule in vertical), max(rule.high for rule in vertical)
    for places, low, high in ((xs, left, right), (ys, bottom, top)):
        if low < places[0] - 2 * SAME_BOUNDARY:
            places.insert(0, low)
        if high > places[-1] + 2 * SAME_BOUNDARY:
            places.append(high)
    if len(xs) < 2 or len(ys) < 2 or (len(xs) == 2 and len(ys) == 2):
        return None
    ys.reverse()
    rows, columns = len(ys) - 1, len(xs) - 1
    if rows * columns > 40_000:
        return None
    uprights = [_near(vertical, x) for x in xs]
    across = [_near(horizontal, y) for y in ys]
    right_walls = [[_is_wall(uprights[column + 1], ys[row + 1], ys[row]) for column in range(columns - 1)] for row in range(rows)]
    floors = [[_is_wall(across[row + 1], xs[column], xs[column + 1]) for column in range(columns)] for row in range(rows - 1)]
    shades = sum(not rule.drawn for rule in (*horizontal, *vertical))
    drawn = 2 * shades < len(horizontal) + len(vertical)
    soft = frozenset(y for y, near in zip(ys, across, strict=True) if not any(rule.drawn for rule in near))
    return Grid(ys, xs, _rectangles(rows, columns, right_walls, floors), drawn=drawn, soft=soft)


def _near(rules: Sequence[Rule], at: float) -> list[Rule]:
    return [rule for rule in rules if abs(rule.at - at) <= SAME_BOUNDARY]


def _is_wall(rules: Sequence[Rule], low: float, high: float) -> bool:
    covered = sum(max(0.0, min(rule.high, high) - max(rule.low, low)) for rule in rules)
    return covered >= WALL * (high - low)


def _rectangles(rows: int, columns: int, right_walls: list[list[bool]], floors: list[list[bool]]) -> list[Draft]:
    """Cells from walls: stretches of each row, joined with those above that have the same sides and no floor between."""
    cells: list[Draft] = []
    above: dict[tuple[int, int], Draft] = {}
    for row in range(rows):
        here: dict[tuple[int, int], Draft] = {}
        left = 0
        for column in range(columns):
            if column < columns - 1 and not right_walls[row][column]:
                continue
            key = (left, column)
            cell = above.get(key)
            if cell is not None and not any(floors[row - 1][c] for c in range(left, column + 1)):
                cell.bottom = row
            else:
                cell = Draft(row, row, left, column)
                cells.append(cell)
            here[key] = cell
            left = column + 1
        above = here
    return cells
