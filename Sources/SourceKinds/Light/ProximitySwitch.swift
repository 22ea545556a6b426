import Gathering
import Ground
import Machine
import Values

/// Reads an input device with the switch `SW_FRONT_PROXIMITY`: near or far, and nothing else.
final class ProximitySwitch: InstanceReader {
  /// Bit 0x0b of `linux/input-event-codes.h`.
  private static let mask: UInt64 = 1 << 0x0b

  private let event: String
  private let name: String
  private let switches: any SwitchReader

  /// The input devices of a machine that have the switch.
  static func instances(on machine: Machine) -> [Instance] {
    ((try? machine.files.entries(of: Switches.folder)) ?? [])
      .filter { $0.hasPrefix("event") }
      .sorted(by: NaturalOrder.areInIncreasingOrder)
      .compactMap { Switches.instance($0, having: mask, on: machine) }
  }

  /// Opens one of these; throws where `/dev/input` is closed to us.
  init(_ instance: Instance, on machine: Machine) throws(SourceError) {
    if instance.availability.group == .permissionDenied {
      throw .unavailable(instance.availability)
    }
    event = instance.notes["event"] ?? instance.name
    name = instance.label
    switches = machine.switches
  }

  func read(_ request: ReadRequest, into reading: inout Reading) {
    do throws(SystemError) {
      let isNear = try switches.switchesOn(of: event) & Self.mask != 0
      let hasChanged = reading[Proximity.Field.near].flag.map { $0 != isNear } ?? false
      reading[Proximity.Field.near] = .ok(.bool(isNear))
      if hasChanged { reading[Proximity.Field.near].stamp = request.eventTime }
    } catch {
      reading[Proximity.Field.near] = .from(error)
    }
    guard request.scope == .everything else { return }
    for field in [Proximity.Field.raw, .distance, .nearLevel, .samplingFrequency, .label] {
      reading[field] = .unsupported("a switch reports near or far only")
    }
    let words: [(Proximity.Field, String)] = [
      (.role, "user"), (.acquisition, "poll"), (.driver, name), (.location, "unknown"),
    ]
    for (field, word) in words { reading[field] = .ok(.string(word)) }
  }

  func raw(ofPropertyAt index: Int) -> RawValue? { nil }
}
