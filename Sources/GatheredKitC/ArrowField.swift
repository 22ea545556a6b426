import CGatheredKit
import Gathering
import Recording
import Values

/// A field as the Arrow C data interface describes it.
struct ArrowField {
  private let format: String
  private let name: String
  private var isNullable = true
  private var metadata: [(String, String)] = []
  private var children: [ArrowField] = []

  private init(_ format: String, _ name: String) {
    self.format = format
    self.name = name
  }

  /// The record of a table: its row times, and its columns.
  init(_ table: RecordedTable) {
    self.init("+s", "")
    isNullable = false
    switch table.series.origin {
    case .source(let id):
      metadata = [("source", table.name), ("kind", id.kind), ("label", table.series.label)]
    case .stream: metadata = [("stream", table.name)]
    }
    for (name, format) in zip(RecordedColumn.rowTimes, ["tsn:UTC", "l"]) {
      var field = ArrowField(format, name)
      field.isNullable = false
      children.append(field)
    }
    children += table.columns.map { ArrowField($0) }
  }

  private init(_ column: RecordedColumn) {
    self.init(column.property.arrowFormat, column.name)
    metadata = column.property.arrowMetadata
    if column.isJSON { metadata.append(("encoding", "json")) }
    if case .vector = column.property.type {
      var item = ArrowField("g", "item")
      item.isNullable = false
      children = [item]
    }
  }

  /// The struct, which owns all it points to; nil without memory.
  func exported() -> ArrowSchema? {
    let arena = Arena()
    guard let format = arena.text(format), let name = arena.text(name),
      let children = arena.structs(children.count, { children[$0].exported() }, releaseSchema)
    else { return nil }
    return ArrowSchema(
      format: format, name: name, metadata: encodedMetadata(in: arena),
      flags: isNullable ? Int64(ARROW_FLAG_NULLABLE) : 0, n_children: Int64(self.children.count),
      children: children.pointers, dictionary: nil, release: releaseSchema,
      // Given back by `releaseSchema`, once.
      private_data: Unmanaged.passRetained(arena).toOpaque())
  }

  /// How many pairs there are, and each with its lengths: numbers of 32 bits of this machine.
  private func encodedMetadata(in arena: Arena) -> UnsafePointer<CChar>? {
    let pairs = metadata.filter { !$0.1.isEmpty }
    if pairs.isEmpty { return nil }
    var bytes: [UInt8] = []
    func put(_ count: Int) {
      withUnsafeBytes(of: Int32(truncatingIfNeeded: count)) { bytes += $0 }
    }
    put(pairs.count)
    for text in pairs.flatMap({ [$0.0, $0.1] }) {
      put(text.utf8.count)
      bytes += text.utf8
    }
    let copy = bytes.withUnsafeBytes { arena.copy($0) }
    return copy.map { UnsafePointer($0.assumingMemoryBound(to: CChar.self)) }
  }
}

/// Releases a schema and those of its children that the consumer has not moved away.
private func releaseSchema(_ schema: UnsafeMutablePointer<ArrowSchema>?) {
  guard let schema, let own = schema.pointee.private_data else { return }
  for index in 0..<Int(schema.pointee.n_children) {
    guard let child = schema.pointee.children?[index] else { continue }
    child.pointee.release?(child)
  }
  schema.pointee.release = nil
  schema.pointee.private_data = nil
  Unmanaged<Arena>.fromOpaque(own).release()
}

extension Property {
  fileprivate var arrowFormat: String {
    switch type {
    case .bool: "b"
    case .int: "l"
    case .double: "g"
    case .vector(let components): "+w:\(components.count)"
    case .string, .enumeration: "u"
    case .bytes: "z"
    case .time: "tsn:UTC"
    }
  }

  fileprivate var arrowMetadata: [(String, String)] {
    var pairs = [("key", key), ("name", name), ("unit", unit ?? "")]
    if let range {
      let ends = [range.lowerBound, range.upperBound].map { end in
        // What has no end on one side goes as far as numbers go.
        end.magnitude < .greatestFiniteMagnitude ? "\(end)" : end < 0 ? "-inf" : "inf"
      }
      pairs.append(("range", ends.joined(separator: ",")))
    }
    if let resolution { pairs.append(("resolution", "\(resolution)")) }
    switch type {
    case .vector(let components):
      pairs.append(("components", components.joined(separator: ",")))
    case .enumeration(let words):
      pairs += [("type", "enum"), ("words", words.joined(separator: ","))]
    default: break
    }
    return pairs
  }
}

extension Arena {
  /// Structs of the Arrow C data interface that lie in the arena, and the pointers to them; nil
  /// without memory, and those made are released.
  func structs<Made>(
    _ count: Int, _ make: (Int) -> Made?, _ release: (UnsafeMutablePointer<Made>?) -> Void
  ) -> ArrowChildren<Made>? {
    if count == 0 { return ArrowChildren(pointers: nil) }
    var made: [Made] = []
    for index in 0..<count {
      guard let next = make(index) else { break }
      made.append(next)
    }
    let place = made.withUnsafeBytes { copy($0) }?.assumingMemoryBound(to: Made.self)
    let pointers = place.map { place in (0..<made.count).map { Optional(place + $0) } } ?? []
    let list = pointers.withUnsafeBytes { copy($0) }
    guard made.count == count, place != nil, let list else {
      for index in made.indices { release(&made[index]) }
      return nil
    }
    return ArrowChildren(
      pointers: list.assumingMemoryBound(to: UnsafeMutablePointer<Made>?.self))
  }
}

/// The children of a struct; nil for none.
struct ArrowChildren<Made> {
  let pointers: UnsafeMutablePointer<UnsafeMutablePointer<Made>?>?
}
