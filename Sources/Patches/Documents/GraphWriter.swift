import Gathering
import Streams

extension Graph {
  /// What a graph's document is called.
  static let format = "gatheredkit.graph"
  /// The newest version of documents that is understood.
  static let version: Int64 = 1

  /// The graph as a document: children, options, static values, wires and offered ports, each in
  /// the order made.
  ///
  /// Throws `notSavable` for a child without a type, a wire to something outside, and a value JSON
  /// has no spelling for.
  public func json() throws(PatchError) -> String {
    let document = Value.dictionary(try document())
    do {
      return try document.json()
    } catch {
      throw .notSavable(patch.name.isEmpty ? Graph.type : patch.name, reason: error.description)
    }
  }

  /// The document as a value.
  func document() throws(PatchError) -> ValueDictionary {
    let content = content
    var children: [Value] = []
    for child in content.children { children.append(.dictionary(try Self.row(of: child))) }
    let wires = try wireRows(content)
    let values = content.children.flatMap { child in
      child.patch.constants.map { (order: $0.order, to: "\(child.name).\($0.input)", $0.value) }
    }
    return [
      "format": .string(Self.format), "version": .int(Self.version),
      "patches": .list(children),
      "values": .list(
        values.sorted { $0.order < $1.order }
          .map { .dictionary(["to": .string($0.to), "value": $0.2]) }),
      "wires": .list(wires.map { .dictionary($0) }),
      "inputs": .list(offerRows(content, .input)),
      "outputs": .list(offerRows(content, .output)),
    ]
  }

  private static func row(of child: GraphContent.Child) throws(PatchError) -> ValueDictionary {
    guard let type = child.patch.type else {
      throw .notSavable(child.name, reason: "it has no type")
    }
    var row: ValueDictionary = ["name": .string(child.name), "type": .string(type)]
    if let graph = child.patch.graph {
      row["graph"] = .dictionary(try graph.document())
    } else if !child.patch.options.isEmpty {
      let options = Value.dictionary(child.patch.options)
      if (try? options.json()) == nil {
        throw .notSavable(child.name, reason: "JSON has no spelling for its options")
      }
      row["options"] = options
    }
    for constant in child.patch.constants where (try? constant.value.json()) == nil {
      throw .notSavable(
        child.name, reason: "JSON has no spelling for the value of \(constant.input)")
    }
    return row
  }

  private func offerRows(_ content: GraphContent, _ direction: Port.Direction) -> [Value] {
    content.offers.filter { $0.direction == direction }.compactMap { offer in
      guard (try? offer.child.port(offer.port, direction)) != nil,
        let child = content.name(of: offer.child)
      else { return nil }
      let key = direction == .input ? "to" : "from"
      return .dictionary([
        "name": .string(offer.name), key: .string("\(child).\(offer.port)"),
      ])
    }
  }

  private func wireRows(_ content: GraphContent) throws(PatchError) -> [ValueDictionary] {
    for child in content.children {
      for (input, wire) in child.patch.incomingWires {
        if wire.origin.patch.flatMap({ content.name(of: $0) }) == nil {
          throw .notSavable(child.name, reason: "\(input) is wired to something outside")
        }
      }
    }
    try refuseWiresOutwards(content)
    return innerWires(content).map { ["from": .string($0.from), "to": .string($0.to)] }
  }

  /// A wire between children, by references.
  struct InnerWire {
    let order: UInt64
    let from: String
    let to: String
    let isFeedback: Bool
    var fromChild: String
    var toChild: String
    let output: String
    let input: String
  }

  /// The wires between children, in the order made.
  func innerWires(_ content: GraphContent) -> [InnerWire] {
    var wires: [InnerWire] = []
    for child in content.children {
      for (input, wire) in child.patch.incomingWires {
        guard let origin = wire.origin.patch, let name = content.name(of: origin) else { continue }
        wires.append(
          InnerWire(
            order: wire.order, from: "\(name).\(wire.output)", to: "\(child.name).\(input)",
            isFeedback: wire.isFeedback, fromChild: name, toChild: child.name,
            output: wire.output, input: input))
      }
    }
    return wires.sorted { $0.order < $1.order }
  }

  /// A child that feeds something outside could not be saved without losing that wire.
  private func refuseWiresOutwards(_ content: GraphContent) throws(PatchError) {
    for port in patch.loop.allInputs {
      guard let wire = port.state.withLock({ $0.wire }), let origin = wire.origin.patch,
        let name = content.name(of: origin), let owner = wire.via?.graph.patch ?? port.patch
      else { continue }
      if content.name(of: owner) == nil {
        throw .notSavable(name, reason: "\(wire.output) is wired to something outside")
      }
    }
  }
}

extension Patch {
  /// The static values of its own inputs, by when each was first set.
  fileprivate var constants: [(order: UInt64, input: String, value: Value)] {
    let inputs = state.withLock { $0.inputs }
    return inputs.compactMap { port in
      port.state.withLock { state in
        state.constant.map { (order: $0.order, input: port.name, value: $0.value) }
      }
    }
  }

  /// The wires that were made to its inputs, offered ones included, by the names there.
  fileprivate var incomingWires: [(input: String, wire: WireRecord)] {
    names(.input).compactMap { name in
      guard let port = try? port(name, .input), let wire = port.state.withLock({ $0.wire }),
        wire.isAlive
      else { return nil }
      if let via = wire.via {
        return via.graph.patch === self && via.name == name ? (name, wire) : nil
      }
      return port.patch === self ? (name, wire) : nil
    }
  }
}
