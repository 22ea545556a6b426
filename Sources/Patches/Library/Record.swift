import Gathering
import Values

/// Puts values into a named store of the context.
struct RecordBlueprint: PatchBlueprint {
  let type = "record"
  let summary = "Appends values to a recording or a data source that the context knows by name."
  let inputs: [PortDescription]? = [PortDescription("value")]
  let outputs: [PortDescription]? = []
  let options: [PortDescription]? = [
    PortDescription("store", .string, isFixed: true),
    PortDescription("name", .string, standard: .string("value"), isFixed: true),
  ]

  func ports(
    for options: ValueDictionary, in catalogue: PatchCatalogue
  ) throws(PatchError) -> PortList {
    _ = try sink(options, in: catalogue)
    return PortList(inputs: inputs ?? [], outputs: [])
  }

  func build(
    _ patch: Patch, options: ValueDictionary, in catalogue: PatchCatalogue
  ) throws(PatchError) {
    let (sink, name) = try sink(options, in: catalogue)
    // One function for all samples. A store answers on a thread of its own; the patch may have been
    // freed by then.
    let failed: @Sendable (any Error) -> Void = { [weak patch] error in
      if let patch, !patch.isClosed { return patch.fail(error, at: "value") }
      Log.write(.warning, "patch", "record: a sample of \(name) is lost: \(error)")
    }
    try patch.define(input: PortDescription("value")) { _, sample in
      try sink.append(sample, named: name, orLater: failed)
    }
  }

  private func sink(
    _ options: ValueDictionary, in catalogue: PatchCatalogue
  ) throws(PatchError) -> (any SampleSink, name: String) {
    let options = try PatchOptions(options, as: self.options ?? [])
    let store = try options.text("store")
    let name = try options.text("name")
    guard let sinks = catalogue.context?.sampleSinks else {
      throw .badOption("store", reason: "there are no stores outside of a context")
    }
    guard let sink = sinks[store] else {
      let names = sinks.names
      throw .badOption(
        "store",
        reason: names.isEmpty
          ? "the context knows no stores"
          : Nearest.sentence(to: store, among: names, what: "store"))
    }
    return (sink, name)
  }
}
