import Gathering
import Ground
import Machine
import Values

/// What a card is asked, in the way of its driver, while it is awake.
protocol CardSource: AnyObject {
  /// Whether the driver may take long.
  var mayBlock: Bool { get }
  /// Sets what the card tells; what is static only where the whole is wanted. False if the card
  /// did not answer, and nothing is known of its power either.
  func read(whole: Bool, _ request: ReadRequest, into reading: inout Reading) -> Bool
  /// The last text of a property.
  func raw(_ field: Graphics.Field) -> RawValue?
}

extension CardSource {
  /// Files of sysfs take microseconds.
  var mayBlock: Bool { false }
}

/// Reads one card, unless it sleeps (catalogue G1).
final class CardReader: InstanceReader {
  private typealias Field = Graphics.Field

  private let card: GraphicsCard
  private let machine: Machine
  private let power: RuntimePower
  private let record: UdevRecord?
  private let compatible: PolledFile
  /// Made when the card is awake first: it looks at what the card has.
  private var source: (any CardSource)?
  /// Whether what is static is still to be asked.
  private var owesStatics = false
  private var modelRaw: RawValue?

  init(_ card: GraphicsCard, on machine: Machine) {
    self.card = card
    self.machine = machine
    power = RuntimePower(of: card.device, in: machine.files)
    record = card.record(in: machine.files)
    compatible = PolledFile("\(card.device)/of_node/compatible", in: machine.files, holding: .bytes)
  }

  /// The library of NVIDIA's driver may hang.
  var mayBlock: Bool { card.way == .nvidia && machine.nvidia != nil }

  func read(_ request: ReadRequest, into reading: inout Reading) {
    if request.scope == .everything { readFacts(into: &reading) }
    let state = power.look()
    reading.set(Field.powerState, to: Self.words[state] ?? Self.unknown)
    reading.counters = []
    let isWhole = request.scope == .everything || owesStatics
    if state == .suspended {
      owesStatics = isWhole
      return sleep(isWhole, into: &reading)
    }
    let source = source ?? card.source(on: machine)
    self.source = source
    owesStatics = false
    if !source.read(whole: isWhole, request, into: &reading) {
      reading[Field.powerState] = reading[Field.utilization]
    }
    if isWhole { readModel(into: &reading) }
    heedRefusals(isWhole, in: &reading)
  }

  private static let unknown = KeptOutcome(.ok(.string(RuntimePower.State.unknown.rawValue)))
  private static let words: [RuntimePower.State: KeptOutcome] = Dictionary(
    uniqueKeysWithValues: RuntimePower.State.allCases.map {
      ($0, KeptOutcome(.ok(.string($0.rawValue))))
    })

  /// What changes has no value; what is static keeps the one it has.
  private func sleep(_ isWhole: Bool, into reading: inout Reading) {
    for field in Field.changing { reading.set(field, to: RuntimePower.asleep) }
    for field in Field.asked where isWhole && reading.status(at: field.rawValue) != .ok {
      reading.set(field, to: RuntimePower.asleep)
    }
    if isWhole { readModel(into: &reading) }
  }

  /// What amdgpu refuses is no matter of rights.
  private func heedRefusals(_ isWhole: Bool, in reading: inout Reading) {
    for field in Field.changing + (isWhole ? Field.asked : [])
    where power.isRefusal(reading.absence(at: field.rawValue)) {
      reading.set(field, to: RuntimePower.resetting)
      reading.counters = []
      if Field.asked.contains(field) { owesStatics = true }
    }
  }

  // MARK: What is known without asking it

  private func readFacts(into reading: inout Reading) {
    reading.set(Field.integrated, to: card.isIntegrated)
    reading[Field.vendor] = .ok(.string(card.vendor(in: machine.files).rawValue))
    reading[Field.driver] = card.driver.isEmpty ? Self.driverless : .ok(.string(card.driver))
    reading[Field.pciAddress] = card.address.map { .ok(.string($0)) } ?? Self.offBus
  }

  private static let driverless = Outcome.noData("no driver has it")
  private static let offBus = Outcome.unsupported("it is no device of PCI")

  /// The driver's own name for it, else udev's, else the device tree's.
  private func readModel(into reading: inout Reading) {
    if reading.status(at: Field.model.rawValue) == .ok { return }
    modelRaw = nil
    if let record {
      let (outcome, raw) = record.value(of: .model)
      guard outcome.status == .ok else { return }
      modelRaw = raw
      return reading[Field.model] = outcome
    }
    guard let text = try? compatible.read() else { return }
    let first = text.prefix { $0 != 0 }.trimmed
    if first.isEmpty { return }
    modelRaw = RawValue(first, place: compatible.path)
    reading[Field.model] = .ok(.string(first.lenientText))
  }

  func raw(ofPropertyAt index: Int) -> RawValue? {
    switch Field(rawValue: index) {
    case .powerState?: power.raw
    case .model?: modelRaw ?? source?.raw(.model)
    case let field?: source?.raw(field)
    case nil: nil
    }
  }
}

extension GraphicsCard {
  /// What is asked of it.
  func source(on machine: Machine) -> any CardSource {
    if way == .nvidia { return NvidiaSource(self, on: machine) }
    return CardFiles(self, CardPlan(of: self, in: machine.files), on: machine)
  }
}
