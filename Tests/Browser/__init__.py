"""The page of `gathered serve` in a browser: serve.md 8 and 12."""
