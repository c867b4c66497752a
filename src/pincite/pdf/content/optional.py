"""Optional content: which groups are on in the default configuration (ISO 32000-2, 8.11)."""

from __future__ import annotations

from pincite.pdf.objects.file import File
from pincite.pdf.objects.values import Dictionary, Reference, Value, as_dictionary

_MAX_DEPTH = 16
_MAX_STEPS = 2000
_MAX_KNOWN = 4096


class OptionalContent:
    """Answers whether what a group or a membership dictionary controls is shown when the file is opened."""

    def __init__(self, file: File) -> None:
        self._file = file
        properties = file.get_dictionary(file.root, "OCProperties")
        default = file.get_dictionary(properties, "D")
        self._all_off = file.get(default, "BaseState") == "OFF"
        self._on = _references(file.get(default, "ON"))
        self._off = _references(file.get(default, "OFF"))
        self._steps = 0
        self._known: dict[object, tuple[object, bool]] = {}

    @property
    def trivial(self) -> bool:
        """Whether every group is on."""
        return not self._all_off and not self._off

    def is_visible(self, value: Value) -> bool:
        """Whether a group (OCG) or a membership dictionary (OCMD), given as it stands in the file, is on."""
        if self.trivial or value is None:
            return True
        dictionary = as_dictionary(self._file.resolve(value))
        if self._file.get(dictionary, "Type") == "OCMD":
            return self._known_membership(value, dictionary)
        return self._group(value)

    def _known_membership(self, value: Value, dictionary: Dictionary) -> bool:
        """The same once for each dictionary, or where it stands in the content itself for each list: content may ask a million
        times, and a list of groups be as long."""
        parts = tuple(dictionary.get(key) for key in ("VE", "OCGs", "P"))
        key = value if isinstance(value, Reference) else tuple(
            part if isinstance(part, Reference | str | None) else id(part) for part in parts
        )
        known = self._known.get(key)
        if known is None:
            if len(self._known) >= _MAX_KNOWN:
                self._known.clear()
            # with what the key has the identity of, so that nothing else gets it
            known = self._known[key] = (parts, self._membership(dictionary))
        return known[1]

    def _group(self, value: Value) -> bool:
        if not isinstance(value, Reference):
            return True
        if value in self._off:
            return False
        return not self._all_off or value in self._on

    def _membership(self, dictionary: Dictionary) -> bool:
        expression = self._file.get(dictionary, "VE")
        if isinstance(expression, list) and expression:
            self._steps = 0
            return self._expression(expression, 0)
        groups = dictionary.get("OCGs")
        resolved = self._file.resolve(groups)
        members = resolved if isinstance(resolved, list) else [groups]
        states = [self._group(member) for member in members if self._file.resolve(member) is not None]
        if not states:
            return True
        match self._file.get(dictionary, "P", "AnyOn"):
            case "AllOn":
                return all(states)
            case "AnyOff":
                return not all(states)
            case "AllOff":
                return not any(states)
            case _:
                return any(states)

    def _expression(self, expression: list[Value], depth: int) -> bool:
        """A visibility expression (8.11.2.2): /And, /Or or /Not with groups and expressions as operands."""
        operands: list[bool] = []
        for item in expression[1:]:
            self._steps += 1
            if self._steps > _MAX_STEPS:  # an expression that contains itself
                break
            resolved = self._file.resolve(item)
            if isinstance(resolved, list) and resolved and depth < _MAX_DEPTH:
                operands.append(self._expression(resolved, depth + 1))
            else:
                operands.append(self._group(item))
        match self._file.resolve(expression[0]):
            case "Not":
                return not (operands and operands[0])
            case "Or":
                return any(operands)
            case _:
                return all(operands)


def _references(value: Value) -> frozenset[Reference]:
    return frozenset(item for item in value if isinstance(item, Reference)) if isinstance(value, list) else frozenset()
