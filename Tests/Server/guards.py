"""The header fields of security (serve W10)."""

from __future__ import annotations

from .asking import Answer

SECURITY = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
}
POLICY = {
    "default-src 'none'",
    "connect-src 'self'",
    "img-src data:",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
}


def is_guarded(answer: Answer) -> bool:
    """Whether an answer has all header fields of security."""
    policy = set((answer.field("Content-Security-Policy") or "").split("; "))
    scripts = [part for part in policy if part.startswith(("script-src ", "style-src "))]
    return (
        all(answer.field(name) == value for name, value in SECURITY.items())
        and policy >= POLICY
        and len(scripts) == 2
        and all("'sha256-" in part and "unsafe" not in part for part in scripts)
    )
