"""What a viewer shows of annotations: the appearance streams that are text of the page (ISO 32000-2, 12.5)."""

from __future__ import annotations

from pincite.pdf.content.interpreter import ContentInterpreter, Matrix
from pincite.pdf.content.optional import OptionalContent
from pincite.pdf.objects.file import File
from pincite.pdf.objects.values import Dictionary, Reference, Stream, Value, as_number

_SHOWN = frozenset(("Widget", "FreeText", "Stamp"))
_HIDDEN = 1 << 1
_NO_VIEW = 1 << 5
_MAX_ANNOTATIONS = 10_000


def paint_annotations(file: File, optional: OptionalContent, page: Dictionary, interpreter: ContentInterpreter) -> None:
    """Paint the normal appearances of the page's form fields, free texts and stamps, in order; hidden ones not."""
    entries = file.get(page, "Annots")
    for entry in entries[:_MAX_ANNOTATIONS] if isinstance(entries, list) else ():
        if file.peek_name(entry, "Subtype") not in _SHOWN:
            continue
        annotation = file.resolve(entry)
        if not isinstance(annotation, dict):
            continue
        flags = file.get(annotation, "F")
        if isinstance(flags, int) and flags & (_HIDDEN | _NO_VIEW):
            continue
        if not optional.is_visible(annotation.get("OC")):
            continue
        appearance = _normal_appearance(file, annotation)
        if appearance is None:
            continue
        matrix = _placement(file, appearance.dictionary, _four(file.get_array(annotation, "Rect")))
        if matrix is not None:
            interpreter.paint_annotation(appearance, matrix, entry if isinstance(entry, Reference) else None)


def _normal_appearance(file: File, annotation: Dictionary) -> Stream | None:
    """The /N stream, or the one that /AS chooses of several."""
    normal = file.get(file.get_dictionary(annotation, "AP"), "N")
    if isinstance(normal, dict):
        state = file.get(annotation, "AS")
        normal = file.get(normal, state) if isinstance(state, str) else None
    return normal if isinstance(normal, Stream) else None


def _placement(file: File, form: Dictionary, rectangle: list[float] | None) -> Matrix | None:
    """The matrix that brings the form's transformed box onto the annotation's rectangle (12.5.5, algorithm)."""
    bbox = _four(file.get_array(form, "BBox"))
    if rectangle is None or bbox is None:
        return None
    numbers = [as_number(value) for value in file.get_array(form, "Matrix")[:6]]
    a, b, c, d, e, f = (
        [float(n) for n in numbers if n is not None] if len(numbers) == 6 and None not in numbers else (1, 0, 0, 1, 0, 0)
    )
    xs = [a * x + c * y + e for x in (bbox[0], bbox[2]) for y in (bbox[1], bbox[3])]
    ys = [b * x + d * y + f for x in (bbox[0], bbox[2]) for y in (bbox[1], bbox[3])]
    left, bottom, width, height = min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys)
    x0, x1 = sorted((rectangle[0], rectangle[2]))
    y0, y1 = sorted((rectangle[1], rectangle[3]))
    across = (x1 - x0) / width if width else 1.0
    up = (y1 - y0) / height if height else 1.0
    return (across, 0.0, 0.0, up, x0 - left * across, y0 - bottom * up)


def _four(values: list[Value]) -> list[float] | None:
    numbers = [as_number(value) for value in values[:4]]
    found = [float(number) for number in numbers if number is not None]
    return found if len(found) == 4 else None
