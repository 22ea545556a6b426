import Gathering
import Machine

/// Channels of monitoring chips that measure power or count energy.
enum PowerChannel {
  /// The channels of all chips, those with watts before those with joules.
  static func all(on files: any FileTree) -> [Instance] {
    MonitorChip.all(on: files, withBridges: true).flatMap { chip in
      let channels =
        chip.channels("power", endingsOf: ["_average", "_input"]) + chip.channels("energy")
      return channels.map { channel in
        var instance = chip.instance(ofChannel: channel, in: files)
        let isMeter = chip.driver == "power_meter"
        // Its other channels are parts of the first.
        let isTotal = chip.driver == "corsairpsu" && channel == "power1"
        let domain =
          isMeter || chip.driver == "corsairpsu" ? PowerDomain.supply : .rail
        instance.notes["domain"] = domain.rawValue
        instance.notes["coverage"] = isMeter || isTotal ? "machine" : "device"
        instance.isMember = isMeter || isTotal
        return instance
      }
    }
  }

  /// How a channel is read.
  static func plan(of instance: Instance, _ files: any FileTree) -> PowerPlan {
    var plan = PowerPlan(of: instance)
    let channel = instance.notes["channel"] ?? ""
    let none = Outcome.unsupported("the channel has none")
    plan.constants[Power.Field.limitShort.rawValue] = none
    plan.constants[Power.Field.energyRange.rawValue] = none
    plan.fault = "\(channel)_fault"
    if channel.hasPrefix("energy") {
      plan.energy = "\(channel)_input"
      plan.constants[Power.Field.limit.rawValue] = none
    } else {
      plan.watts = [("\(channel)_average", .micro), ("\(channel)_input", .micro)]
      let limits = ["\(channel)_cap", "\(channel)_max"]
      let limit = limits.first { files.mayHave($0, in: instance.path) } ?? limits[0]
      plan.columns.append(.init(Power.Field.limit, limit, .microLimit))
    }
    return plan
  }
}
