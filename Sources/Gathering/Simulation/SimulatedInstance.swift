import Ground
import Synchronization
import Values

/// One instance of a simulated device: its state and what the script made of its properties.
struct SimulatedInstance: Sendable {
  let name: String
  private let kind: String
  let isAggregate: Bool
  /// What the script said; nil leaves an aggregate's to its members.
  private(set) var availability: Availability?
  /// The driver's floor in nanoseconds; 0 without one.
  private(set) var floor: Int64 = 0
  private var fault: Int32?
  /// Its property table, and what each reading asks of a property.
  let table: [Property]
  private let modes: [ReportingMode]
  private let categories: [PrivacyCategory?]
  private let types: [PropertyType]
  private var properties: [SimulatedProperty]
  /// The indices of properties the script set, absent and failing ones included.
  private var scripted: Set<Int> = []
  /// Another number after each line that acts, which no other instance has.
  private(set) var revision = Self.nextRevision()

  private static let revisions = Atomic<UInt64>(0)

  private static func nextRevision() -> UInt64 {
    revisions.add(1, ordering: .relaxed).newValue
  }

  /// An instance as it is when it appears: nothing is set.
  init(_ name: String, of kind: String, isAggregate: Bool, table: [Property]) {
    self.name = name
    self.kind = kind
    self.table = table
    modes = table.map(\.mode)
    categories = table.map(\.category)
    types = table.map(\.type)
    self.isAggregate = isAggregate
    availability = isAggregate ? nil : .simulated(.available)
    properties = [SimulatedProperty](repeating: SimulatedProperty(), count: table.count)
  }

  /// Does what a line says, other than coming and going.
  mutating func apply(_ action: ScriptAction, line: Int, at moment: SimulatedTime) {
    switch action {
    case .add, .remove: break
    case .set(let index, let value): properties[index].set(value, line: line)
    case .follow(let index, let quantity, let motion):
      properties[index].follow(quantity, of: motion, line: line)
    case .absent(let index, let status, let reason):
      properties[index].withdraw(status, reason: reason, line: line, at: moment)
    case .wave(let index, let form):
      properties[index].begin(form, line: line, at: moment.position)
    case .error(let index, let errno):
      properties[index].fail(SystemError(errno, at: place(of: table[index])), line: line)
    case .fault(let errno): fault = errno
    case .clear(let index?): properties[index].clear(isNamed: true)
    case .clear(nil):
      fault = nil
      for index in properties.indices { properties[index].clear(isNamed: false) }
    case .availability(let new): availability = new
    case .floor(let interval): floor = interval
    }
    scripted = Set(properties.indices.filter { properties[$0].isScripted })
    revision = Self.nextRevision()
  }

  /// The property's id, which is in the place of a file's path.
  private func place(of property: Property) -> String {
    "\(kind)|\(IdentifierGrammar.encoded(name))/\(property.key)"
  }

  /// Fills in what a reading at a moment gives; what no script set is left to the rules.
  func read(_ request: ReadRequest, at moment: SimulatedTime, into reading: inout Reading) {
    let before = reading.scripted
    reading.scripted = scripted
    for index in table.indices { read(index, request, before, at: moment, into: &reading) }
  }

  /// What a reading after a complete one computes anew; nil while every reading is complete.
  var repeated: RepeatedReading? {
    // What an aggregate can do depends on its members.
    if isAggregate || fault != nil { return nil }
    return RepeatedReading(of: properties, table: table, revision: revision)
  }

  private func read(
    _ index: Int, _ request: ReadRequest, _ before: Set<Int>, at moment: SimulatedTime,
    into reading: inout Reading
  ) {
    guard request.wants(modes[index], categories[index]) else { return }
    // A rule for what changes now and then may build on what it found last.
    let isRuled = table[index].flags.contains(.derived) && modes[index] == .onChange
    let isKept = isRuled && fault == nil && reading[index].status == .ok
    if isKept && !scripted.contains(index) && !before.contains(index) { return }
    if let fault, modes[index] != .static {
      reading[index] = .failed(SystemText.message(of: fault), errno: fault)
      reading.scripted.insert(index)
    } else {
      reading[index] = properties[index].outcome(types[index], at: moment)
    }
  }

  /// The payload of a property as text, and the line it comes from; nil if there is none.
  func raw(_ index: Int, at moment: SimulatedTime) -> RawValue? {
    guard table.indices.contains(index) else { return nil }
    let outcome = properties[index].outcome(table[index].type, at: moment)
    guard outcome.hasPayload else { return nil }
    let place = "script line \(properties[index].line)"
    switch outcome.value {
    case .bytes(let bytes): return RawValue(bytes, place: place)
    case .string(let text): return RawValue(text.utf8, place: place)
    case .bool(let flag): return RawValue(flag.description.utf8, place: place)
    case .int(let number), .time(let number):
      return RawValue(number.description.utf8, place: place)
    case .double(let number): return RawValue(number.description.utf8, place: place)
    case .vector(let vector):
      let text = vector.components.map(\.description).joined(separator: ",")
      return RawValue(text.utf8, place: place)
    case .none, .dictionary, .list: return nil
    }
  }
}
