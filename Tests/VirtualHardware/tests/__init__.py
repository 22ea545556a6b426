"""Proofs against a real kernel whose devices are virtual, so that the truth is known."""
