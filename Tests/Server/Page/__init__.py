"""The page of `gathered serve` in a browser: serve.md 8 and 12.

    GATHERED_SERVE=…/gathered-serve python3 -m pytest Tests/Server/Page

with gatheredkit on the path of Python, and chromium and chromium-driver installed. Screenshots go
to the folder that GATHERED_SCREENSHOTS names.
"""
