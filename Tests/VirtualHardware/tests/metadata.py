"""The virtual machine itself, beside what its kernel and firmware say."""

from __future__ import annotations

import os
import time
from pathlib import Path

import gatheredkit as gk

from virtual_devices.system import read

from .proof import expect, expect_equal, expect_near, proves

context = gk.Context()


@proves("4.18: kernel and processor are what uname says")
def kernel() -> None:
    samples, system = context.read("device_metadata"), os.uname()
    expect_equal(samples["kernel_name"].value, system.sysname)
    expect_equal(samples["kernel_release"].value, system.release)
    expect_equal(samples["kernel_version"].value, system.version)
    expect_equal(samples["architecture"].value, system.machine)
    expect_equal(samples["logical_cpus"].value, os.cpu_count())


@proves("4.18: vendor and model are the firmware's")
def firmware() -> None:
    samples, folder = context.read("device_metadata"), Path("/sys/class/dmi/id")
    expect_equal(samples["vendor"].value, read(folder / "sys_vendor"))
    expect_equal(samples["model"].value, read(folder / "product_name"))
    expect_equal(samples["firmware_version"].value, read(folder / "bios_version"))


@proves("4.18: the time since booting is the kernel's clock, and realtime less it the boot's time")
def uptime() -> None:
    with context.open("device_metadata") as source:
        before = time.clock_gettime(time.CLOCK_BOOTTIME)
        found = source.update()["uptime"].number
        after = time.clock_gettime(time.CLOCK_BOOTTIME)
        expect(found is not None and before <= found <= after, (before, found, after))
        booted = time.time_ns() - time.clock_gettime_ns(time.CLOCK_BOOTTIME)
        expect_near(int(source["boot_time"].moment or 0) / 1e9, booted / 1e9, 0.5, "boot_time")


@proves("4.18, P1: names people gave are withheld until they are allowed")
def names() -> None:
    hidden = context.read("device_metadata")["hostname"]
    expect_equal(hidden.status, gk.SampleStatus.PERMISSION)
    with gk.Context(allow="hostname") as allowed:
        found = allowed.read("device_metadata")["hostname"].value
    expect_equal(found, os.uname().nodename)


@proves("4.17: memory is what the kernel says, in bytes")
def memory() -> None:
    lines = (line.split() for line in read("/proc/meminfo").splitlines())
    table = {words[0].rstrip(":"): int(words[1]) * 1024 for words in lines}
    samples = context.read("memory")
    expect_equal(samples["total"].value, table["MemTotal"])
    expect_near(samples["available"].number, table["MemAvailable"], 64 << 20, "available")
    expect(samples["pressure_some_avg10"].value is not None, samples["pressure_some_avg10"])
