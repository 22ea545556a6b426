import Gathering

extension Memory {
  static var about: KindMeaning {
    KindMeaning(
      "the machine's memory: its use and its pressure, and the limit of our control group",
      from: "/proc/meminfo, /proc/pressure/memory, /sys/fs/cgroup",
      instances: "machine")
  }
}

extension Memory.Field {
  var meaning: Meaning {
    switch self {
    case .total: Meaning("memory there is", from: "MemTotal")
    case .available:
      Meaning("memory that programs can still get without swapping", from: "MemAvailable")
    case .free: Meaning("memory that is not used for anything", from: "MemFree")
    case .used: Meaning("memory that programs cannot get", from: "total − available")
    case .buffers: Meaning("cache of raw disk blocks", from: "Buffers")
    case .cached: Meaning("cache of files", from: "Cached")
    case .reclaimable: Meaning("kernel caches that can be given back", from: "SReclaimable")
    case .shared: Meaning("memory in tmpfs and shared between programs", from: "Shmem")
    case .dirty: Meaning("memory that waits to be written to disk", from: "Dirty")
    case .swapTotal: Meaning("swap space there is", from: "SwapTotal")
    case .swapFree: Meaning("swap space that is free", from: "SwapFree")
    case .swapCached: Meaning("swapped pages that are in memory, too", from: "SwapCached")
    case .zswap: Meaning("memory that holds compressed swap", from: "Zswap")
    case .pressureSomeAvg10:
      Meaning(
        "share of 10 s in which some task waited for memory",
        from: "/proc/pressure/memory some avg10")
    case .pressureSomeAvg60:
      Meaning(
        "share of 60 s in which some task waited for memory",
        from: "/proc/pressure/memory some avg60")
    case .pressureSomeAvg300:
      Meaning(
        "share of 300 s in which some task waited for memory",
        from: "/proc/pressure/memory some avg300")
    case .pressureFullAvg10:
      Meaning(
        "share of 10 s in which all tasks waited for memory",
        from: "/proc/pressure/memory full avg10")
    case .pressureFullAvg60:
      Meaning(
        "share of 60 s in which all tasks waited for memory",
        from: "/proc/pressure/memory full avg60")
    case .pressureFullAvg300:
      Meaning(
        "share of 300 s in which all tasks waited for memory",
        from: "/proc/pressure/memory full avg300")
    case .pressureSomeTotal:
      Meaning(
        "time in which some task waited for memory",
        from: "/proc/pressure/memory some total, µs ÷ 1e6")
    case .pressureFullTotal:
      Meaning(
        "time in which all tasks waited for memory",
        from: "/proc/pressure/memory full total, µs ÷ 1e6")
    case .cgroupLimit:
      Meaning("the most that our control group may use", from: "memory.max of the control group")
    case .cgroupCurrent:
      Meaning("what our control group uses", from: "memory.current of the control group")
    }
  }
}
