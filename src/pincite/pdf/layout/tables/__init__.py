"""Tables of a page: from rules that are drawn, and from text that stands in columns."""
