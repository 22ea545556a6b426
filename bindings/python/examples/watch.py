"""Tells of sources that come and go, on asyncio: `python watch.py bluetooth 60`."""

import asyncio
import sys

import gatheredkit as gk


async def main(kind: str | None = None, seconds: str = "10") -> None:
    """Prints every event of a kind, or of all kinds."""
    async with gk.Context() as context:
        with context.watch(kind) as events:
            asyncio.get_running_loop().call_later(float(seconds), events.close)
            async for event in events:
                print(event.type.name, event.source_id)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:3]))
