import Gathering

extension Battery {
  static var about: KindMeaning {
    KindMeaning(
      "charge, power and health of batteries",
      from: "/sys/class/power_supply, then UPower for what only it knows",
      instances:
        "the aggregate of the machine's batteries, each of them, then those of mice and the like")
  }
}

extension Battery.Field {
  var meaning: Meaning {
    switch self {
    case .level:
      Meaning(
        "how full it is",
        from: "capacity ÷ 100, else energy_now ÷ energy_full, else charge_now ÷ charge_full")
    case .levelWord: Meaning("how full it is, in a word", from: "capacity_level")
    case .state: Meaning("what it does", from: "status")
    case .externalPower:
      Meaning(
        "whether the machine has power from outside",
        from: "online of Mains, USB and Wireless supplies, else UPower")
    case .energy: Meaning("energy left", from: "energy_now, else charge_now × voltage_min_design")
    case .energyFull:
      Meaning(
        "energy when full, as it is today",
        from: "energy_full, else charge_full × voltage_min_design")
    case .energyFullDesign:
      Meaning(
        "energy when full, as it was when new",
        from: "energy_full_design, else charge_full_design × voltage_min_design")
    case .power:
      Meaning(
        "power that flows, in or out as state says",
        from: "power_now, else current_now × voltage_now")
    case .voltage: Meaning("voltage", from: "voltage_now")
    case .current: Meaning("current that flows, in or out as state says", from: "current_now")
    case .temperature: Meaning("temperature", from: "temp ÷ 10")
    case .cycleCount: Meaning("times it was emptied and filled", from: "cycle_count")
    case .health:
      Meaning(
        "what is left of the capacity it had when new", from: "energy_full ÷ energy_full_design")
    case .condition: Meaning("the driver's word on its condition", from: "health")
    case .timeToEmpty:
      Meaning("time until it is empty", from: "time_to_empty_now, else energy ÷ power")
    case .timeToFull:
      Meaning("time until it is full", from: "time_to_full_now, else the missing energy ÷ power")
    case .technology: Meaning("chemistry, such as Li-ion", from: "technology")
    case .manufacturer: Meaning("maker", from: "manufacturer")
    case .model: Meaning("model", from: "model_name")
    case .serial: Meaning("serial number", from: "serial_number")
    case .scope: Meaning("whether it feeds the machine or a device such as a mouse", from: "scope")
    }
  }
}
