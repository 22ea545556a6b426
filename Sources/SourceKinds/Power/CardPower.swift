import Gathering
import Ground
import Machine
import Values

/// The power and energy of a discrete graphics card.
final class CardPower: InstanceReader {
  static let backend = "gpu"

  /// The cards that measure what they take.
  static func instances(on machine: Machine) -> [Instance] {
    let cards = GraphicsCard.all(on: machine.files)
    return cards.filter { !$0.isIntegrated && $0.measuresPower }.map { card in
      var instance = card.instance(on: machine)
      instance.name = "gpu.\(instance.name)"
      instance.aliases = instance.aliases.map { "gpu.\($0)" }
      instance.notes["backend"] = backend
      instance.notes["domain"] = PowerDomain.gpu.rawValue
      instance.notes["coverage"] = "device"
      // The setting that lifts the floor is one of the card, not of its power.
      instance.pollingFloor?.liftedBy = nil
      return instance
    }
  }

  private let plan: PowerPlan
  private let card: CardReader
  /// How long what was read counts for a sum, so that the card gets to sleep; 0 without a floor.
  private let rest: Int64
  private var reading = Reading(properties: Graphics.table.count)
  private var readAt: Int64?
  /// The mean power between the last two readings of a counter.
  private var mean = Outcome.needsTwoReadings

  init(_ instance: Instance, on machine: Machine) {
    plan = PowerPlan(of: instance)
    card = CardReader(GraphicsCard(instance), on: machine)
    rest = machine.nature == .captured ? 0 : instance.pollingFloor?.interval ?? 0
  }

  var mayBlock: Bool { card.mayBlock }

  func read(_ request: ReadRequest, into reading: inout Reading) {
    let now = reading.instant.boot
    let isRested = readAt.map { now < $0 || now - $0 >= rest } ?? true
    if !request.isForAggregate || isRested { readCard(request, at: reading.instant) }
    reading.counters = self.reading.counters
    for (field, own) in Self.fields { reading[field] = self.reading[own] }
    if request.isForAggregate, rest > 0, PowerSpan(reading.counters, .own) != nil {
      // A counter that is read seldom would give nothing, then all at once.
      reading.counters = []
      reading[Power.Field.power] = mean
    }
    if request.scope == .everything {
      for (property, outcome) in plan.constants { reading[property] = outcome }
      for field in [Power.Field.limitShort, .energyRange] { reading.set(field, to: Self.none) }
    }
    if request.isForAggregate { reading.set(Power.Field.members, to: plan.id) }
  }

  private func readCard(_ request: ReadRequest, at instant: Instant) {
    let (before, began) = (PowerSpan(reading.counters, .own), readAt)
    reading.instant = instant
    card.read(request, into: &reading)
    readAt = instant.boot
    mean = .needsTwoReadings
    guard let before, let began, let now = PowerSpan(reading.counters, .own),
      now.restarts == before.restarts, now.microjoules >= before.microjoules, instant.boot > began
    else { return }
    let joules = Double(now.microjoules - before.microjoules) / 1e6
    mean = .ok(.double(joules * 1e9 / Double(instant.boot - began)), lowAccuracy: true)
  }

  private static let fields: [(Power.Field, Graphics.Field)] = [
    (.power, .power), (.energy, .energy), (.limit, .powerLimit),
  ]
  private static let none = KeptOutcome(.unsupported("a card has none"))

  func raw(ofPropertyAt index: Int) -> RawValue? {
    Self.fields.first { $0.0.rawValue == index }
      .flatMap { card.raw(ofPropertyAt: $0.1.rawValue) }
  }
}
