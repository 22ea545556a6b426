import Gathering

extension Power {
  static var about: KindMeaning {
    KindMeaning(
      "power and energy of processors, memory, graphics cards, batteries and measured rails",
      from: "/sys/class/powercap, then /sys/class/hwmon and /sys/class/power_supply",
      instances:
        "the aggregate, zones of processors, discrete cards, the battery, channels of chips")
  }
}

extension Power.Field {
  var meaning: Meaning {
    switch self {
    case .power:
      Meaning(
        "the power; of a counter the mean since the reading before",
        from: "Δenergy ÷ Δt; power_uw; powerN_average, else powerN_input ÷ 1e6; battery, card")
    case .energy:
      Meaning(
        "energy since the counter began; it does not fall while it is watched",
        from: "energy_uj, energyN_input ÷ 1e6")
    case .limit:
      Meaning(
        "the power allowed for long",
        from: "constraint_N_power_limit_uw named long_term; powerN_cap, else powerN_max")
    case .limitShort:
      Meaning(
        "the power allowed for a moment", from: "constraint_N_power_limit_uw named short_term")
    case .domain: Meaning("what is supplied", from: "name of the zone; driver of the chip")
    case .coverage:
      Meaning("how much of the machine it is", from: "the zone above; driver of the chip")
    case .parent: Meaning("the zone that it lies in", from: "TYPE:N of TYPE:N:M")
    case .energyRange:
      Meaning("the number after which the counter begins anew", from: "max_energy_range_uj ÷ 1e6")
    case .members: Meaning("what the aggregate sums up", from: "packages, memory, discrete cards")
    case .meter: Meaning("where system_power comes from", from: "the meter that was used")
    case .systemPower:
      Meaning(
        "power of the whole machine",
        from: "the battery while it supplies; power_meter; a power supply; psys")
    }
  }
}
