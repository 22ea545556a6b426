import Values

/// Understands a script line by line, knowing what the lines before have added.
struct ScriptParser {
  private let catalogue: [any SourceKind]
  private let properties: [[Property]]
  private let kindIndices: [String: Int]
  private let origin: Script.Origin
  /// The tables of instances that have others than their kinds, as far as they are known.
  private(set) var tables: [ScriptTarget: [Property]]
  /// All instances ever added, by kind, in listing order.
  private var added: [[String]]
  private var lastTime: Int64 = 0

  init(
    _ catalogue: [any SourceKind], origin: Script.Origin,
    tables: [ScriptTarget: [Property]] = [:]
  ) {
    self.tables = tables
    self.catalogue = catalogue
    self.origin = origin
    properties = catalogue.map(\.properties)
    kindIndices = Dictionary(
      catalogue.enumerated().map { ($0.element.kind, $0.offset) }, uniquingKeysWith: { $1 })
    added = catalogue.map { _ in [] }
  }

  /// What a line says; nil for a comment, an empty line and one that is left out.
  mutating func line(
    _ text: ArraySlice<UInt8>, number: Int
  ) throws(ScriptFault) -> ScriptLine? {
    guard text.lengthOfValidUTF8 == text.count else { throw ScriptFault("not UTF-8") }
    var lexer = ScriptLexer(text)
    if lexer.isEmpty { return nil }
    let time = try ScriptPayload.seconds(lexer.word())
    if time < lastTime { throw ScriptFault("out of order: an earlier line has a later time") }
    lastTime = time
    let verb = try verb(lexer.word())
    let id = try identifier(lexer.word())
    guard let kind = try kindIndex(of: id.source) else { return nil }
    let (target, action) = try action(verb, id, kind, &lexer)
    if !lexer.isEmpty {
      throw ScriptFault("\(lexer.remainder().quotedExcerpt) is too much for \(verb.rawValue)")
    }
    return ScriptLine(number: number, time: time, target: target, action: action)
  }

  private enum Verb: String, CaseIterable {
    case add, remove, set, absent, wave, error, fault, clear, availability, permission, floor
  }

  // MARK: What a line begins with

  private func verb(_ word: ArraySlice<UInt8>) throws(ScriptFault) -> Verb {
    if word.isEmpty { throw ScriptFault("the verb is missing") }
    if let verb = Verb(rawValue: word.lenientText) { return verb }
    throw ScriptFault(
      Nearest.sentence(to: word.lenientText, among: Verb.allCases.map(\.rawValue), what: "verb"))
  }

  private func identifier(_ word: ArraySlice<UInt8>) throws(ScriptFault) -> Identifier {
    if word.isEmpty { throw ScriptFault("the target is missing") }
    do {
      return try Identifier(parsing: word)
    } catch {
      throw ScriptFault("target \(word.quotedExcerpt): \(error)")
    }
  }

  private func kindIndex(of id: SourceIdentifier) throws(ScriptFault) -> Int? {
    if id.device != nil { throw ScriptFault("a simulated instance lives on no other device") }
    if let index = kindIndices[id.kind] { return index }
    if origin == .library { return nil }
    throw ScriptFault(
      Nearest.sentence(to: id.kind, among: catalogue.map(\.kind), what: "kind"))
  }

  // MARK: Whom it concerns

  private mutating func add(
    _ id: SourceIdentifier, _ kind: Int
  ) throws(ScriptFault) -> ScriptTarget {
    guard let name = id.instance else { throw ScriptFault("\(id) names no instance") }
    if name == ScriptTarget.aggregateName {
      throw ScriptFault("\(id) comes with the first instance; a device of that name is aggregate~1")
    }
    if !added[kind].contains(where: name.isSpelt) {
      added[kind].append(name)
      added[kind].sort(by: NaturalOrder.areInIncreasingOrder)
    }
    return ScriptTarget(kind: kind, instance: name, isAggregate: false)
  }

  /// An instance added before, the aggregate of such, or what a bare kind means (sources N5).
  private func target(_ id: SourceIdentifier, _ kind: Int) throws(ScriptFault) -> ScriptTarget {
    guard let first = added[kind].first else { throw ScriptFault("\(id) was never added") }
    let hasAggregate = catalogue[kind].hasAggregate
    let name = id.instance ?? (hasAggregate ? ScriptTarget.aggregateName : first)
    let isAggregate = hasAggregate && name == ScriptTarget.aggregateName
    guard isAggregate || added[kind].contains(where: name.isSpelt) else {
      throw ScriptFault("\(id) was never added")
    }
    return ScriptTarget(kind: kind, instance: name, isAggregate: isAggregate)
  }

  private mutating func property(
    _ id: Identifier, _ kind: Int, _ verb: Verb, _ lexer: ScriptLexer
  ) throws(ScriptFault) -> Int {
    guard case .property(let property) = id else {
      throw ScriptFault("\(verb.rawValue) needs a property: ID/KEY")
    }
    guard property.components.count == 1 else {
      throw ScriptFault("\(id): a property is set whole, not a part of it")
    }
    let target = try? target(id.source, kind)
    let table = target.map(table) ?? properties[kind]
    if let index = table.firstIndex(where: { $0.key == property.key }) { return index }
    if let target, let index = declare(property.key, of: target, lexer) { return index }
    throw ScriptFault(
      Nearest.sentence(to: property.key, among: table.map(\.key), what: "key"))
  }

  private func table(of target: ScriptTarget) -> [Property] {
    tables[target] ?? properties[target.kind]
  }

  /// Adds a property to an instance whose list is its own, before those of the kind; its type is
  /// that of the payload that follows, or a number. The index it has for now, if it can be one.
  private mutating func declare(
    _ key: String, of target: ScriptTarget, _ lexer: ScriptLexer
  ) -> Int? {
    var rest = lexer
    let commas = rest.word().count { $0 == UInt8(ascii: ",") }
    guard
      let property = catalogue[target.kind].property(ofInstance: key, components: commas + 1)
    else { return nil }
    var table = table(of: target)
    let index = table.count - properties[target.kind].count
    table.insert(property, at: index)
    tables[target] = table
    return index
  }

  // MARK: What it does

  private mutating func action(
    _ verb: Verb, _ id: Identifier, _ kind: Int, _ lexer: inout ScriptLexer
  ) throws(ScriptFault) -> (ScriptTarget, ScriptAction) {
    switch verb {
    case .set, .absent, .wave, .error:
      let property = try property(id, kind, verb, lexer)
      let target = try target(id.source, kind)
      return (target, try propertyAction(verb, property, target, &lexer))
    case .clear:
      let property: Int? =
        if case .property = id { try property(id, kind, verb, lexer) } else { nil }
      return (try target(id.source, kind), .clear(property: property))
    case .add, .remove, .fault, .availability, .permission, .floor:
      guard case .source(let source) = id else {
        throw ScriptFault("\(verb.rawValue) needs an instance, not a property")
      }
      if verb == .add { return (try add(source, kind), .add) }
      let target = try target(source, kind)
      if verb == .remove && target.isAggregate {
        throw ScriptFault("\(source) is removed with the last instance")
      }
      return (target, try instanceAction(verb, &lexer))
    }
  }

  private func propertyAction(
    _ verb: Verb, _ index: Int, _ target: ScriptTarget, _ lexer: inout ScriptLexer
  ) throws(ScriptFault) -> ScriptAction {
    let property = table(of: target)[index]
    switch verb {
    case .absent:
      let status = try ScriptWords.status(lexer.word())
      return .absent(property: index, status, reason: lexer.remainder().lenientText)
    case .wave:
      // The built-in devices have flags that come and go, too.
      let isFlag = origin == .library && property.type == .bool
      guard property.type.isNumeric || isFlag else {
        throw ScriptFault("\(property.key) is not a number")
      }
      let id = "\(catalogue[target.kind].kind)|\(target.instance)/\(property.key)"
      return .wave(property: index, try ScriptWords.waveform(&lexer, id: id))
    case .error:
      return .error(property: index, errno: try ScriptWords.errno(lexer.word()))
    default:
      if origin == .library, let motion = try ScriptWords.motion(&lexer) {
        guard let quantity = MotionQuantity(rawValue: property.key) else {
          throw ScriptFault("\(property.key) is not a quantity of motion")
        }
        return .follow(property: index, quantity, motion)
      }
      return .set(
        property: index, try ScriptPayload.value(lexer.remainder(), as: property.type))
    }
  }

  private func instanceAction(
    _ verb: Verb, _ lexer: inout ScriptLexer
  ) throws(ScriptFault) -> ScriptAction {
    switch verb {
    case .fault: .fault(errno: try ScriptWords.errno(lexer.word()))
    case .availability: .availability(try ScriptWords.availability(&lexer))
    case .permission: .availability(try ScriptWords.permission(lexer.word()))
    case .floor: .floor(try ScriptPayload.seconds(lexer.word()))
    default: .remove
    }
  }
}

extension PropertyType {
  /// Whether a signal can be added to its payloads.
  fileprivate var isNumeric: Bool {
    switch self {
    case .int, .double, .vector: true
    default: false
    }
  }
}
