import Gathering
public import Values

/// How patches of one type are made.
public protocol PatchBlueprint: Sendable {
  /// The name in documents.
  var type: String { get }
  /// One sentence for the catalogue.
  var summary: String { get }
  /// The inputs without the options; nil if they are known only once a patch is made.
  var inputs: [PortDescription]? { get }
  /// The outputs; nil if they are known only once a patch is made.
  var outputs: [PortDescription]? { get }
  /// The options; nil if only the maker knows them.
  var options: [PortDescription]? { get }

  /// The ports a patch of some options would have, options included; throws `badOption`.
  func ports(
    for options: ValueDictionary, in catalogue: PatchCatalogue
  ) throws(PatchError) -> PortList
  /// Gives an empty patch its ports.
  func build(
    _ patch: Patch, options: ValueDictionary, in catalogue: PatchCatalogue) throws(PatchError)
}

/// Makes patches of a kind.
struct KindBlueprint: PatchBlueprint {
  let kind: any (PatchKind & SendableMetatype).Type

  var type: String { kind.type }
  var summary: String { kind.summary }
  var inputs: [PortDescription]? { kind.inputs }
  var outputs: [PortDescription]? { kind.outputs }
  var options: [PortDescription]? { kind.options }

  func ports(
    for options: ValueDictionary, in catalogue: PatchCatalogue
  ) throws(PatchError) -> PortList {
    let one = try kind.init(PatchOptions(options, as: kind.options))
    let received = one.inputPorts.map(\.name)
    let settable = kind.options.filter { !$0.isFixed && !received.contains($0.name) }
    return PortList(inputs: one.inputPorts + settable, outputs: one.outputPorts)
  }

  func build(
    _ patch: Patch, options: ValueDictionary, in catalogue: PatchCatalogue
  ) throws(PatchError) {
    let options = try PatchOptions(options, as: kind.options)
    try patch.install(try kind.init(options), options: options)
  }
}

/// Makes patches by calling a function with an empty one.
struct MakerBlueprint: PatchBlueprint {
  let type: String
  let summary: String
  let make: PatchCatalogue.Maker

  var inputs: [PortDescription]? { nil }
  var outputs: [PortDescription]? { nil }
  var options: [PortDescription]? { nil }

  /// Only the maker knows them, so it is called with a hidden patch, which is released at once.
  func ports(
    for options: ValueDictionary, in catalogue: PatchCatalogue
  ) throws(PatchError) -> PortList {
    guard let loop = catalogue.trialLoop else { throw .closed }
    let trial = Patch(type: type, options: options, on: loop)
    try build(trial, options: options, in: catalogue)
    return trial.portList
  }

  func build(
    _ patch: Patch, options: ValueDictionary, in catalogue: PatchCatalogue
  ) throws(PatchError) {
    do {
      try make(patch, options)
    } catch let error as PatchError {
      throw error
    } catch let failure as HandlerFailure {
      throw .handlerFailed(port: type, code: failure.code, message: failure.message)
    } catch {
      throw .badOption(type, reason: String(describing: error))
    }
  }
}

extension Patch {
  /// Its ports as a list.
  var portList: PortList {
    func list(_ direction: Port.Direction) -> [PortDescription] {
      ports(direction).map { PortDescription($0.name, $0.port.hint, unit: $0.port.unit) }
    }
    return PortList(inputs: list(.input), outputs: list(.output))
  }
}
