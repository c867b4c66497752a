"""Adapter over pikepdf (qpdf): files, objects, streams, the page tree, and the document's outline, labels and title.

Nothing of pikepdf leaves this folder: what comes out is plain Python (`pincite.pdf.objects.values`).
"""
