"""Headings and sections: from the outline where there is one, else from how the lines look beside the body's."""
