"""The structure tree of a document with the places of its elements in the default text."""

from __future__ import annotations

from collections.abc import Sequence

from pincite.model.structure import StructureElement
from pincite.model.text import PageSpan
from pincite.pdf.content.interpreter import PageContent
from pincite.pdf.layout.page_layout import PageLayout
from pincite.pdf.layout.structure_order import claim_rows
from pincite.pdf.objects.structure_tree import Element, Item


def find_spans(page: int, content: PageContent, layout: PageLayout, items: Sequence[Item]) -> list[tuple[int, PageSpan]]:
    """(element, span) of one page, in the order of its text; white space between two of one element is in its span."""
    owners = claim_rows(content, items)
    found: list[tuple[int, PageSpan]] = []
    element, start, end = -1, 0, 0
    for position, row in enumerate(layout.sources):
        if row < 0:
            continue
        current = items[owners[row]].element if owners[row] >= 0 else -1
        if current != element:
            if element >= 0:
                found.append((element, PageSpan(page, start, end)))
            element, start = current, position
        end = position + 1
    if element >= 0:
        found.append((element, PageSpan(page, start, end)))
    return found


def build_elements(elements: Sequence[Element], spans: Sequence[tuple[int, PageSpan]]) -> tuple[StructureElement, ...]:
    """The elements that no other holds, each with those in it; `elements` has each before those in it."""
    own: dict[int, list[PageSpan]] = {}
    for number, span in spans:
        own.setdefault(number, []).append(span)
    children: dict[int, list[StructureElement]] = {}
    for number in range(len(elements) - 1, -1, -1):
        element = elements[number]
        built = StructureElement(
            element.type,
            element.tag,
            element.title,
            element.alt,
            element.actual_text,
            element.language,
            tuple(own.get(number, ())),
            tuple(reversed(children.pop(number, []))),
        )
        children.setdefault(element.parent, []).append(built)
    return tuple(reversed(children.get(-1, [])))
