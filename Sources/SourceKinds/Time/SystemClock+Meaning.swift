import Gathering

extension SystemClock {
  static var about: KindMeaning {
    KindMeaning(
      "whether the time of the machine is right, how far it is off, and what it is set by",
      from: "adjtimex(2), chronyd, systemd-timesyncd on D-Bus, /sys/class/pps, /dev/ptp0",
      instances: "the system's clock, the sources of pulses, the clocks of devices")
  }
}

extension SystemClock.Field {
  var meaning: Meaning {
    switch self {
    case .synchronized:
      Meaning("whether the clock is set by something", from: "adjtimex status, STA_UNSYNC")
    case .offset:
      Meaning(
        "how far the clock is behind; below 0 it is ahead. Of a device: how far it is ahead of it",
        from: "chrony's correction, timesyncd's four times, adjtimex offset, PTP_SYS_OFFSET")
    case .maximumError: Meaning("the most it may be off", from: "adjtimex maxerror ÷ 1e6")
    case .estimatedError: Meaning("how far it may be off", from: "adjtimex esterror ÷ 1e6")
    case .frequencyCorrection:
      Meaning(
        "by how much the clock is made faster", from: "adjtimex freq ÷ 65536, tick − 10000")
    case .rootDelay:
      Meaning("the way to the first clock and back", from: "chrony, timesyncd NTPMessage")
    case .rootDispersion:
      Meaning("the error gathered on that way", from: "chrony, timesyncd NTPMessage")
    case .jitter:
      Meaning(
        "how much offsets vary", from: "chrony RMS offset, timesyncd, adjtimex jitter of pulses")
    case .stratum:
      Meaning("how many clocks away the first one is", from: "chrony, timesyncd NTPMessage")
    case .leap:
      Meaning("what becomes of the end of the day", from: "chrony, timesyncd, adjtimex's answer")
    case .server: Meaning("what it is set by", from: "chrony, timesyncd ServerName")
    case .service: Meaning("what sets it", from: "which of them answers")
    case .pollInterval:
      Meaning("time between two updates", from: "chrony, timesyncd PollIntervalUSec")
    case .lastUpdate: Meaning("when it was compared last", from: "chrony, timesyncd NTPMessage")
    case .taiOffset: Meaning("by how much atomic time is ahead", from: "adjtimex tai")
    case .pulses: Meaning("pulses since the start", from: "/sys/class/pps assert, else clear")
    case .pulseTime: Meaning("the last pulse", from: "/sys/class/pps assert, else clear")
    case .clockSource:
      Meaning("the counter time is made of", from: "clocksource0/current_clocksource")
    case .label: Meaning("name of the device", from: "name, clock_name")
    }
  }
}
