"""A removable disk with a file system, and one in memory: sizes, counters, mounting."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from pathlib import Path

import gatheredkit as gk

from virtual_devices.peripherals import disks, storage
from virtual_devices.system import command

from .proof import Skipped, expect, expect_equal, proves, watching

PLACE = Path("/run/virtual/volume")
NAME = "storage|%2Frun%2Fvirtual%2Fvolume"

storage("start")
PLACE.mkdir(exist_ok=True)
context = gk.Context()


def sizes(samples: Mapping[str, gk.Sample]) -> None:
    """Compares with what the kernel tells of the file system."""
    now = os.statvfs(PLACE)
    wanted = {
        "total": now.f_blocks * now.f_frsize,
        "free": now.f_bfree * now.f_frsize,
        "available": now.f_bavail * now.f_frsize,
        "used": (now.f_blocks - now.f_bfree) * now.f_frsize,
        "inodes_total": now.f_files,
        "inodes_free": now.f_ffree,
    }
    expect_equal({key: samples[key].value for key in wanted}, wanted)


def written_to(disk: str) -> int:
    """The bytes the kernel has written to a disk (Documentation/block/stat.rst, field 7)."""
    return int(Path(f"/sys/block/{disk}/stat").read_text().split()[6]) * 512


@proves("4.16: a volume in memory is exact to the byte, and mounting is an event")
def in_memory() -> None:
    with watching(context, "storage") as watch:
        command("mount", "-t", "tmpfs", "-o", "size=3m", "virtual", str(PLACE))
        try:
            expect_equal(watch.next(gk.EventType.ADDED).source_id, NAME)
            (PLACE / "file").write_bytes(bytes(1_000_000))
            samples = context.read(NAME)
            sizes(samples)
            expect_equal(samples["total"].value, 3 << 20)
            expect_equal(samples["used"].value, 245 * 4096)
            expect_equal(samples["filesystem"].value, "tmpfs")
        finally:
            command("umount", str(PLACE))
        expect_equal(watch.next(gk.EventType.REMOVED).source_id, NAME)


@proves("4.16: a removable disk says so, and its counters count what is written")
def on_disk() -> None:
    if not shutil.which("mkfs.ext4"):
        raise Skipped("mkfs.ext4 is not installed")
    disk = next(found for found in disks() if found.name.startswith("sd"))
    command("mkfs.ext4", "-q", "-F", "-L", "gathered", f"/dev/{disk.name}")
    command("mount", f"/dev/{disk.name}", str(PLACE))
    try:
        with context.open(NAME) as source:
            source.update()
            sizes(source.samples())
            expect_equal(source["removable"].value, True)
            expect_equal(source["read_only"].value, False)
            expect_equal(source["filesystem"].value, "ext4")
            expect_equal(source["source"].value, f"/dev/{disk.name}")
            before = source["written_bytes"].number or 0
            with open(PLACE / "file", "wb") as file:
                file.write(bytes(1 << 20))
                file.flush()
                os.fsync(file.fileno())
            # The file system also writes its own tables, at times of its own.
            lowest = written_to(disk.name)
            written = source.update()["written_bytes"].number or 0
            highest = written_to(disk.name)
            expect(lowest <= written <= highest, f"{written}, not {lowest} to {highest} bytes")
            expect(written - before >= 1 << 20, f"{written - before} bytes written")
            command("mount", "-o", "remount,ro", str(PLACE))
            expect_equal(source.update()["read_only"].value, True)
    finally:
        command("umount", str(PLACE))
