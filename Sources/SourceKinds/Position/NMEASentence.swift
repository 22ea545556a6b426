/// One sentence of a receiver on a serial port: `$GPRMC,…*5A`.
struct NMEASentence {
  /// Who talks: `GP`, `GN`, `GL` …
  let talker: String
  /// What of: `RMC`, `GGA` …
  let type: String
  /// The fields behind the type.
  private let fields: [ArraySlice<UInt8>]

  /// Takes a line apart; nil unless its checksum is there and right.
  init?(_ line: [UInt8]) {
    guard let start = line.lastIndex(of: UInt8(ascii: "$")),
      let star = line.lastIndex(of: UInt8(ascii: "*")), star > start, line.count == star + 3,
      let sum = UInt8(String(decoding: line[(star + 1)...], as: UTF8.self), radix: 16),
      line[star + 1] != UInt8(ascii: "+")
    else { return nil }
    let body = line[(start + 1)..<star]
    guard body.reduce(0, ^) == sum else { return nil }
    let parts = body.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    guard let name = parts.first, name.count == 5,
      name.allSatisfy({ (65...90).contains($0) || (48...57).contains($0) })
    else {
      return nil
    }
    talker = String(decoding: name.prefix(2), as: UTF8.self)
    type = String(decoding: name.dropFirst(2), as: UTF8.self)
    fields = Array(parts.dropFirst())
  }

  /// A field by its number, from 1; empty where there is none.
  subscript(_ number: Int) -> ArraySlice<UInt8> {
    fields.indices.contains(number - 1) ? fields[number - 1] : []
  }
}
