"""From a citation back to the words: names of documents, and resolving."""
