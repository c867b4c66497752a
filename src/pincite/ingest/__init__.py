"""Taking files in: walk, read and hash, run the sandbox, cut into chunks, and write one document after the other."""
