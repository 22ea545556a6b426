import Gathering

extension SystemUnit {
  static var about: KindMeaning {
    KindMeaning(
      "what services, containers and other units of this machine use, and their limits",
      from: "/sys/fs/cgroup, version 2",
      instances: "the groups that are units; our own first")
  }
}

extension SystemUnit.Field {
  var meaning: Meaning {
    switch self {
    case .memory: Meaning("memory it uses, cache of files included", from: "memory.current")
    case .memoryWorkingSet:
      Meaning(
        "memory it uses without cache that can be given back",
        from: "memory.current − inactive_file of memory.stat")
    case .memoryPeak: Meaning("the most memory it ever used", from: "memory.peak, Linux 5.19")
    case .memoryLimit:
      Meaning("the most memory it may use", from: "the least memory.max on the way to the root")
    case .swap: Meaning("swap space it uses", from: "memory.swap.current")
    case .oomKills:
      Meaning("processes killed because of its limit", from: "memory.events oom_kill")
    case .usage:
      Meaning("processors it keeps busy; 1 is one of them", from: "Δ cpu_time ÷ Δ time")
    case .cpuTime: Meaning("processor time it used", from: "cpu.stat usage_usec ÷ 1e6")
    case .throttledTime:
      Meaning("time it was stopped by its limit", from: "cpu.stat throttled_usec ÷ 1e6")
    case .cpuLimit: Meaning("processors it may keep busy", from: "cpu.max quota ÷ period")
    case .readBytes: Meaning("read from all disks", from: "io.stat rbytes")
    case .writtenBytes: Meaning("written to all disks", from: "io.stat wbytes")
    case .readOperations: Meaning("readings of all disks", from: "io.stat rios")
    case .writeOperations: Meaning("writings to all disks", from: "io.stat wios")
    case .tasks: Meaning("processes and threads in it", from: "pids.current")
    case .taskLimit: Meaning("the most processes and threads in it", from: "pids.max")
    case .cpuPressure:
      Meaning(
        "share of 10 s in which some task waited for a processor", from: "cpu.pressure some avg10")
    case .memoryPressure:
      Meaning(
        "share of 10 s in which some task waited for memory", from: "memory.pressure some avg10")
    case .ioPressure:
      Meaning("share of 10 s in which some task waited for a disk", from: "io.pressure some avg10")
    case .populated: Meaning("whether a process is in it", from: "cgroup.events populated")
    case .frozen: Meaning("whether its processes are frozen", from: "cgroup.events frozen")
    case .type: Meaning("what it is", from: "the ending of its name")
    case .parent: Meaning("the unit it is in", from: "the folder above")
    case .unit: Meaning("its whole name", from: "the folder, \\xNN undone")
    }
  }
}
