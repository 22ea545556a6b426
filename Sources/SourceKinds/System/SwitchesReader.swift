import Gathering
import Ground
import Machine
import Values

/// Reads the switches of one input device.
final class SwitchesReader: InstanceReader {
  private let event: String
  private let switches: any SwitchReader
  private let capabilities: PolledFile
  private var mask: UInt64?

  init(_ instance: Instance, on machine: Machine) {
    event = instance.notes["event"] ?? instance.name
    switches = machine.switches
    capabilities = PolledFile("\(instance.path)/capabilities/sw", in: machine.files)
  }

  func read(_ request: ReadRequest, into reading: inout Reading) {
    let present: UInt64
    do {
      let text = try capabilities.read()
      guard let mask = SwitchMask.parse(text) else { return fill(.unparsable(text), &reading) }
      present = mask
    } catch {
      return fill(.from(error), &reading)
    }
    let before = mask
    let answer = states()
    let changed = before.map { $0 ^ (mask ?? 0) } ?? 0
    for field in Switches.Field.allCases {
      let bit = UInt64(1) << field.code
      if present & bit == 0 {
        reading[field] = .unsupported("the device has no such switch")
      } else {
        reading[field] = answer ?? .ok(.bool((mask ?? 0) & bit != 0))
        // The kernel's own time of the event (catalogue 5.7).
        if answer == nil && changed & bit != 0 { reading[field].stamp = request.eventTime }
      }
    }
  }

  /// Asks the device; the outcome says why it did not answer.
  private func states() -> Outcome? {
    do {
      mask = try switches.switchesOn(of: event)
      return nil
    } catch {
      mask = nil
      let isClosed =
        error.code == SystemText.accessDenied || error.code == SystemText.notPermitted
      guard isClosed else { return .from(error) }
      let text = "\(error.place): \(SystemText.message(of: error.code))"
      return .permission(text, errno: error.code, remedy: Switches.remedy)
    }
  }

  private func fill(_ outcome: Outcome, _ reading: inout Reading) {
    for field in Switches.Field.allCases { reading[field] = outcome }
  }

  func raw(ofPropertyAt index: Int) -> RawValue? {
    mask.map { RawValue(String($0, radix: 16).utf8, place: "/dev/input/\(event)") }
  }
}

/// `capabilities/sw`: hexadecimal words, the most significant first.
enum SwitchMask {
  /// The lowest word, which holds every switch there is; nil if the text is none.
  static func parse(_ text: ArraySlice<UInt8>) -> UInt64? {
    let words = Array(Words(of: text))
    guard let last = words.last, last.first != UInt8(ascii: "+"), last.first != UInt8(ascii: "-")
    else { return nil }
    return UInt64(last.lenientText, radix: 16)
  }

  /// The switches of a text, none if it cannot be read.
  static func present(in text: ArraySlice<UInt8>) -> UInt64 { parse(text) ?? 0 }
}
