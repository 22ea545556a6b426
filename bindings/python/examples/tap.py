"""Tells when a phone is tapped, by a graph of patches: `python tap.py sim:phone 5 12`."""

import sys

import gatheredkit as gk


def main(uri: str = "local:", seconds: str = "3", above: str = "12") -> None:
    """Runs the graph for some seconds, then prints its document."""
    with gk.Context(uri) as context, gk.Graph(context=context) as graph:
        motion = graph.add("source", "motion", kind="accelerometer", interval=0.02)
        norm, tap = graph.add("norm"), graph.add("threshold", "tap", above=float(above))
        motion.out["acceleration"] >> norm.inputs["vector"]
        norm.out["value"] >> tap.inputs["value"]
        tap.out["crossed"].subscribe(lambda way: print("tapped" if way > 0 else "at rest"))
        context.sleep(float(seconds))
        print(graph.to_json())


if __name__ == "__main__":
    main(*sys.argv[1:4])
