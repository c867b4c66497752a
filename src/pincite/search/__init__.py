"""Find passages and cite them: analysis, chunks, the index on disk, queries and citations."""
