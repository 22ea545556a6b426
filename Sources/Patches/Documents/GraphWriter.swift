import Gathering
import Ground
import Streams
import Values

extension Graph {
  /// The format name of a graph's document.
  static let format = "gatheredkit.graph"
  /// The newest version of documents that is understood.
  static let version: Int64 = 1

  /// The graph as a document: children, options, static values, wires and offered ports, each in
  /// the order made.
  ///
  /// Throws `notSavable` for parts that could not be loaded again: a child without a type, a wire
  /// to something outside, a port that is not of its patch's type, and a value that JSON cannot
  /// express.
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
    var values: [(order: UInt64, row: ValueDictionary)] = []
    for child in content.children.all {
      children.append(.dictionary(try Self.row(of: child)))
      values += try Self.valueRows(of: child)
    }
    let wires = try wireRows(content)
    return [
      "format": .string(Self.format), "version": .int(Self.version),
      "patches": .list(children),
      "values": .list(values.sorted { $0.order < $1.order }.map { .dictionary($0.row) }),
      "wires": .list(wires.map { .dictionary($0) }),
      "inputs": .list(try offerRows(content, .input)),
      "outputs": .list(try offerRows(content, .output)),
    ]
  }

  private static func row(of child: ChildList.Child) throws(PatchError) -> ValueDictionary {
    guard let type = child.patch.type else {
      throw .notSavable(child.name, reason: "it has no type")
    }
    var row: ValueDictionary = ["name": .string(child.name), "type": .string(type)]
    if let graph = child.patch.graph {
      row["graph"] = .dictionary(try graph.document())
    } else if !child.patch.options.isEmpty {
      let options = child.patch.options
      guard let read = Value.dictionary(options).readAgain, read.asOptions == options else {
        throw .notSavable(child.name, reason: "JSON has no spelling for its options")
      }
      row["options"] = .dictionary(options)
    }
    return row
  }

  private static func valueRows(
    of child: ChildList.Child
  ) throws(PatchError) -> [(order: UInt64, row: ValueDictionary)] {
    var rows: [(order: UInt64, row: ValueDictionary)] = []
    for (order, port, value) in child.patch.constants {
      try check(port, of: child.patch, named: child.name)
      if value.readAgain != value {
        throw .notSavable(
          child.name, reason: "JSON has no spelling for the value of \(port.name)")
      }
      rows.append((order, ["to": .string("\(child.name).\(port.name)"), "value": value]))
    }
    return rows
  }

  private func offerRows(
    _ content: GraphContent, _ direction: Port.Direction
  ) throws(PatchError) -> [Value] {
    var rows: [Value] = []
    for offer in content.offers.all where offer.direction == direction {
      guard let port = offer.child.find(offer.port, direction)?.port,
        let child = content.children.name(of: offer.child)
      else { continue }
      try Self.check(port, of: offer.child, named: child)
      let key = direction == .input ? "to" : "from"
      rows.append(
        .dictionary(["name": .string(offer.name), key: .string("\(child).\(offer.port)")]))
    }
    return rows
  }

  /// A port of a child's own must be one its type brings: another is not there after loading.
  private static func check(
    _ port: Port, of child: Patch, named name: String
  ) throws(PatchError) {
    if port.patch !== child || port.isOfType || child.isBrought(port) { return }
    throw .notSavable(name, reason: "its type does not define its port \(port.name)")
  }

  private func wireRows(_ content: GraphContent) throws(PatchError) -> [ValueDictionary] {
    for child in content.children.all {
      for (input, port, wire) in child.patch.incomingWires {
        guard let origin = wire.origin.patch, let from = content.children.name(of: origin) else {
          throw .notSavable(child.name, reason: "\(input) is wired to something outside")
        }
        try Self.check(port, of: child.patch, named: child.name)
        if let source = wire.source { try Self.check(source, of: origin, named: from) }
      }
      // A child that feeds something outside could not be saved without losing that wire.
      for consumer in child.patch.consumers {
        guard let wire = consumer.state.withLock({ $0.wire }), wire.origin.patch === child.patch,
          let owner = wire.owner(at: consumer), content.children.name(of: owner) == nil
        else { continue }
        throw .notSavable(child.name, reason: "\(wire.output) is wired to something outside")
      }
    }
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
    for child in content.children.all {
      for (input, _, wire) in child.patch.incomingWires {
        guard let origin = wire.origin.patch, let name = content.children.name(of: origin)
        else { continue }
        wires.append(
          InnerWire(
            order: wire.order, from: "\(name).\(wire.output)", to: "\(child.name).\(input)",
            isFeedback: wire.isFeedback, fromChild: name, toChild: child.name,
            output: wire.output, input: input))
      }
    }
    return wires.sorted { $0.order < $1.order }
  }
}

extension Patch {
  /// Whether its type, made anew, defines a port that was added or replaced since the patch was
  /// made.
  fileprivate func isBrought(_ port: Port) -> Bool {
    guard let type, let catalogue = state.withLock({ $0.catalogue }),
      let ports = catalogue.ports(of: type, options: options)
    else { return false }
    let all = port.direction == .input ? ports.inputs : ports.outputs
    return all.contains { $0.name.isSpelt(port.name) && $0.hint == port.hint }
  }

  /// The static values of its own inputs, by when each was first set.
  fileprivate var constants: [(order: UInt64, port: Port, value: Value)] {
    let inputs = state.withLock { $0.inputs }
    return inputs.compactMap { port in
      port.state.withLock { state in
        state.constant.map { (order: $0.order, port: port, value: $0.value) }
      }
    }
  }

  /// The wires that were made to its inputs, offered ones included, by the names there.
  fileprivate var incomingWires: [(input: String, port: Port, wire: WireRecord)] {
    ports(.input).compactMap { name, port in
      guard let wire = port.state.withLock({ $0.wire }), wire.isAlive else { return nil }
      if let via = wire.via {
        return via.graph.patch === self && via.name.isSpelt(name) ? (name, port, wire) : nil
      }
      return port.patch === self ? (name, port, wire) : nil
    }
  }
}

extension Value {
  /// The value after writing and reading JSON; nil if JSON cannot express it.
  fileprivate var readAgain: Value? {
    guard let text = try? json() else { return nil }
    return try? Value(json: text)
  }
}
