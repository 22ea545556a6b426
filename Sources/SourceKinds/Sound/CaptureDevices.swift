import Gathering
import Ground
import Machine
import Values

/// The capture devices ALSA knows, as `/proc/asound` lists them; nothing is opened.
struct CaptureDevices {
  static let folder = "/proc/asound"
  static let table = "/proc/asound/pcm"

  struct Device: Equatable {
    var card, number: Int64
    /// The card's id, `PCH`, which stays where its number may change.
    var cardID: String
    /// The driver's name of it; empty if there is none.
    var label: String

    /// `PCH.0`
    var name: String { "\(cardID).\(number)" }
    /// The node's name, `pcmC0D0c`.
    var kernelName: String { "pcmC\(card)D\(number)c" }
  }

  /// In the order of cards and devices. Throws what the table cannot be read for.
  static func all(in files: any FileTree) throws(SystemError) -> [Device] {
    let text = try ProcTable(table, in: files).read()
    var found: [Device] = []
    for line in Lines(of: text) {
      guard var device = device(line) else { continue }
      let file = PolledFile("\(folder)/card\(device.card)/id", in: files)
      device.cardID = Outcome(reading: file, .text).text ?? "card\(device.card)"
      found.append(device)
    }
    return found.sorted { ($0.card, $0.number) < ($1.card, $1.number) }
  }

  /// A line as `00-03: HDMI 0 : HDMI 0 : playback 1 : capture 1`, whose last field names capture
  /// only where there is any.
  private static func device(_ line: ArraySlice<UInt8>) -> Device? {
    let head = line.prefix { $0 != UInt8(ascii: ":") }
    let numbers = head.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard numbers.count == 2, let card = numbers[0].decimal, let number = numbers[1].decimal,
      head.endIndex < line.endIndex
    else { return nil }
    let fields = fields(of: line[(head.endIndex + 1)...])
    guard let last = fields.last, last.starts(with: "capture ".utf8), fields.count > 1 else {
      return nil
    }
    // Its id is a shorter form of its name.
    let label = fields.count > 2 ? fields[1] : fields[0]
    return Device(card: card, number: number, cardID: "", label: label.lenientText)
  }

  /// The name of a card, behind its driver: ` 0 [PCH            ]: HDA-Intel - HDA Intel PCH`.
  static func cardName(
    _ card: String, in files: any FileTree
  ) -> (outcome: Outcome, raw: RawValue?) {
    let file = PolledFile("\(folder)/cards", in: files, limit: 1 << 16)
    do throws(SystemError) {
      for line in Lines(of: try file.read()) {
        let number = line.trimmed.prefix { $0 != UInt8(ascii: " ") }
        guard number.elementsEqual(card.utf8),
          let end = line.indices.first(where: { line[$0...].starts(with: "]: ".utf8) }),
          let start = line[end...].indices.first(where: { line[$0...].starts(with: " - ".utf8) })
        else { continue }
        let name = line[(start + 3)...].trimmed
        let outcome = name.isEmpty ? Outcome.noData("empty text") : .ok(.string(name.lenientText))
        return (outcome, RawValue(name, place: file.path))
      }
      return (.noData("\(file.path) does not have card \(card)"), nil)
    } catch {
      return (.from(error), nil)
    }
  }

  /// The fields between colons with a space on either side.
  private static func fields(of text: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    var fields: [ArraySlice<UInt8>] = []
    var start = text.startIndex
    for index in text.indices.dropFirst().dropLast()
    where text[(index - 1)...(index + 1)].elementsEqual(" : ".utf8) && index > start {
      fields.append(text[start..<index].trimmed)
      start = index + 1
    }
    return fields + [text[start...].trimmed]
  }
}
