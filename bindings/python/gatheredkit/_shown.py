"""Samples for people: as lines of text, and as tables of HTML. Values become text in one place."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from ._errors import with_remedy
from ._html import html_table
from ._native import SampleStatus
from ._sample import Sample

# As the library writes it.
MISSING = "\N{EN DASH}"


def told(sample: Sample) -> str:
    """The value of a sample, or else its status with reason and remedy."""
    if sample.status is SampleStatus.OK:
        return sample.format()
    status = sample.status.name.lower().replace("_", " ")
    sentence = with_remedy(f"{status}: {sample.reason}", sample.remedy)
    if sample.stale_value is None:
        return sentence
    return f"{sample.format()} ({sentence})"


def aligned(samples: Mapping[str, Sample], *, without: Collection[str] = ()) -> list[str]:
    """A line a sample, values below each other; where nothing but a reason that was told already
    is to be said, there is a dash."""
    width = max((len(key) for key in samples), default=0)
    lines: list[str] = []
    for key, sample in samples.items():
        is_told = sample.stale_value is None and sample.reason in without
        text = MISSING if is_told else told(sample)
        lines.append(f"  {key:{width}}  {text}")
    return lines


def samples_html(caption: str, samples: Mapping[str, Sample]) -> str:
    """Samples as a table."""
    rows = [(key, sample.property.name, told(sample)) for key, sample in samples.items()]
    return html_table(caption, ("Key", "Property", "Value"), rows)
