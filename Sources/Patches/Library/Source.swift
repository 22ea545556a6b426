import Gathering
import Ground
import Streams
import Values

/// A device source as a patch, or the sources of all instances of a kind.
struct SourceBlueprint: PatchBlueprint {
  let type = "source"
  let summary =
    "The values of a device, one output for each of its properties, or lists of those of all."
  let inputs: [PortDescription]? = []
  /// They depend on the kind.
  let outputs: [PortDescription]? = nil
  let options: [PortDescription]? = [
    PortDescription("kind", .string, isFixed: true),
    PortDescription("id", .string, isFixed: true),
    PortDescription("instances", .string, isFixed: true),
    PortDescription("interval", .double, unit: "s"),
  ]
  private let interval = PortDescription("interval", .double, unit: "s")

  func ports(
    for options: ValueDictionary, in catalogue: PatchCatalogue
  ) throws(PatchError) -> PortList {
    let choice = try choice(options, in: catalogue)
    let outputs =
      if choice.isAll {
        AllInstances.outputs(of: choice.kind)
      } else {
        // For some kinds the properties depend on the instance.
        ((try? catalogue.context?.properties(of: choice.id)) ?? choice.kind.properties)
          .map(\.asPort)
      }
    return PortList(inputs: [interval], outputs: outputs)
  }

  func build(
    _ patch: Patch, options: ValueDictionary, in catalogue: PatchCatalogue
  ) throws(PatchError) {
    let choice = try choice(options, in: catalogue)
    guard let context = catalogue.context else { throw .closed }
    let runner: any ObservedRunner
    let outputs: [PortDescription]
    if choice.isAll {
      outputs = AllInstances.outputs(of: choice.kind)
      runner = AllInstances(of: choice.kind, in: context, interval: choice.interval) {
        [weak patch] output, list in try? patch?.publish(list, on: output)
      }
    } else {
      let source = try open(choice.id, in: context)
      outputs = source.properties.map(\.asPort)
      runner = SourceRunner(source, interval: choice.interval) {
        [weak patch] properties, samples, all in
        guard let patch else { return }
        for (property, sample) in zip(properties, samples)
        where all || sample.flags.contains(.isNew) {
          try? patch.publish(sample, on: property.key)
        }
      }
    }
    try patch.define(input: interval) { _, sample in
      guard sample.value != .none else { return }
      runner.change(interval: try sample.value.duration(of: "interval"))
    }
    if let interval = options["interval"] { try patch.start("interval", at: interval) }
    for output in outputs { try patch.define(output: output) }
    let run = ObservedRun(runner, for: patch)
    patch.observe { _ in run.tend() }
  }

  // MARK: Below

  /// What the options ask for.
  private struct Choice {
    let id: SourceIdentifier
    let kind: any SourceKind
    /// Whether it is every instance of the kind.
    let isAll: Bool
    let interval: Int64?
  }

  /// Finds what the options ask for, without opening it.
  private func choice(
    _ options: ValueDictionary, in catalogue: PatchCatalogue
  ) throws(PatchError) -> Choice {
    let options = try PatchOptions(options, as: self.options ?? [])
    let interval = try options["interval"]?.duration(of: "interval")
    try onlyOne("kind", "id", in: options)
    try onlyOne("id", "instances", in: options)
    let option = options["id"] == nil ? "kind" : "id"
    let text = try options.text(option)
    let id: SourceIdentifier
    do {
      id = try SourceIdentifier(parsing: text)
    } catch {
      throw .badOption(option, reason: error.description)
    }
    guard let kind = catalogue.sourceKinds.first(where: { $0.kind == id.kind }) else {
      let all = catalogue.sourceKinds.map(\.kind)
      throw .badOption(
        option, reason: Nearest.sentence(to: id.kind, among: all, what: "kind"))
    }
    if option == "kind", id.instance != nil {
      throw .badOption(option, reason: "a kind has no instance; give it as id")
    }
    let instances = options["instances"]?.text
    guard instances == nil || instances == "all" else {
      throw .badOption("instances", reason: "it is all")
    }
    return Choice(id: id, kind: kind, isAll: instances != nil, interval: interval)
  }

  private func open(
    _ id: SourceIdentifier, in context: Context
  ) throws(PatchError) -> Source {
    do {
      return try context.open(id)
    } catch .closed {
      throw .closed
    } catch {
      throw .badOption("id", reason: error.message)
    }
  }
}

extension Property {
  /// As an output.
  fileprivate var asPort: PortDescription {
    let hint: PortType =
      switch type {
      case .bool: .bool
      case .int: .int
      case .double: .double
      case .vector: .vector
      case .string, .enumeration: .string
      case .bytes: .bytes
      case .time: .time
      }
    return PortDescription(key, hint, unit: unit)
  }
}
