import Gathering

extension Processor {
  static var about: KindMeaning {
    KindMeaning(
      "how busy the processors are, how fast they run, and how much waits for them",
      from: "/proc/stat, cpufreq, /proc/loadavg, /proc/pressure/cpu",
      instances: "the aggregate, then each logical processor")
  }
}

extension Processor.Field {
  var meaning: Meaning {
    switch self {
    case .usage:
      Meaning("share of the time in which it worked", from: "/proc/stat: 1 − (idle + iowait) ÷ all")
    case .user: Meaning("share of the time spent in programs", from: "/proc/stat: user and nice")
    case .system: Meaning("share of the time spent in the kernel", from: "/proc/stat: system")
    case .iowait: Meaning("share of the time spent waiting for disks", from: "/proc/stat: iowait")
    case .interrupt:
      Meaning("share of the time spent in interrupts", from: "/proc/stat: irq and softirq")
    case .steal:
      Meaning("share of the time that another virtual machine had", from: "/proc/stat: steal")
    case .frequency:
      Meaning(
        "the clock at present; of the aggregate the mean", from: "cpufreq scaling_cur_freq × 1000")
    case .frequencyMinimum: Meaning("the slowest clock", from: "cpufreq cpuinfo_min_freq × 1000")
    case .frequencyMaximum: Meaning("the fastest clock", from: "cpufreq cpuinfo_max_freq × 1000")
    case .online: Meaning("whether it is in use", from: "/sys/devices/system/cpu/online")
    case .onlineCount: Meaning("processors in use", from: "/sys/devices/system/cpu/online")
    case .load1: Meaning("tasks that ran or waited, in the mean of a minute", from: "/proc/loadavg")
    case .load5:
      Meaning("tasks that ran or waited, in the mean of 5 minutes", from: "/proc/loadavg")
    case .load15:
      Meaning("tasks that ran or waited, in the mean of 15 minutes", from: "/proc/loadavg")
    case .pressureSomeAvg10:
      Meaning(
        "share of 10 s in which some task waited for a processor",
        from: "/proc/pressure/cpu some avg10")
    case .pressureSomeAvg60:
      Meaning(
        "share of 60 s in which some task waited for a processor",
        from: "/proc/pressure/cpu some avg60")
    case .pressureSomeAvg300:
      Meaning(
        "share of 300 s in which some task waited for a processor",
        from: "/proc/pressure/cpu some avg300")
    }
  }
}
