"""What a content stream needs around the kernel's text-state machine: resources, forms, marked and optional content."""
