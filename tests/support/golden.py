"""Golden files: what an output was when someone last read it."""

from __future__ import annotations

from pathlib import Path

GOLDEN = Path(__file__).parents[1] / "golden"
ACTUAL = Path(__file__).parents[1] / "actual"


class Golden:
    """Compares text with `tests/golden/NAME`; `pytest --update-golden` writes it. A mismatch is kept in `tests/actual/NAME`."""

    def __init__(self, update: bool) -> None:
        self.update = update

    def check(self, name: str, text: str) -> None:
        """Fail unless `text` is what the golden file holds."""
        path = GOLDEN / name
        if self.update:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="")
            return
        expected = path.read_bytes().decode() if path.exists() else None
        if text != expected:
            actual = ACTUAL / name
            actual.parent.mkdir(parents=True, exist_ok=True)
            actual.write_text(text, encoding="utf-8", newline="")
            assert expected is not None, f"no golden file {name}: read tests/actual/{name}, then pytest --update-golden"
            assert text == expected, f"{name} differs: read tests/actual/{name}, then pytest --update-golden if it is right"
