import Gathering
import Ground
import Streams
import Values

/// A patch kind at work in its patch: it is called on the loop only, and never under a lock.
final class KindBox<Kind: PatchKind>: Sendable {
  let kind: Claimed<Kind>
  let outputs: KindOutputs

  init(_ kind: Kind, outputs: KindOutputs) {
    self.kind = Claimed(kind)
    self.outputs = outputs
  }

  /// Hands the kind a sample.
  @inline(__always)
  func receive(_ sample: Sample, on input: String, _ results: inout KindResults) throws {
    _ = try kind.withClaim { kind in
      try kind.receive(sample, on: input) { output, payload in
        outputs.publish(payload, on: output, into: &results)
      }
    }
  }

  /// Gives the kind a new value of an option.
  func change(_ option: String, to value: Payload) throws(PatchError) {
    _ = try kind.withClaim { kind throws(PatchError) in try kind.change(option, to: value) }
  }
}

/// One input of a kind.
final class KindInput<Kind: PatchKind>: InputReceiver {
  /// What null means to it.
  enum Null: Sendable {
    case value, ignored
    /// It goes on to all outputs.
    case passed
  }

  private let box: KindBox<Kind>
  private let name: String
  private let isOption: Bool
  private let null: Null
  private let times: (any KindTimes)?

  init(
    _ name: String, of box: KindBox<Kind>, isOption: Bool, null: Null, times: (any KindTimes)?
  ) {
    self.name = name
    self.box = box
    self.isOption = isOption
    self.null = null
    self.times = times
  }

  func receive(_ sample: Sample, _ results: inout KindResults) throws {
    if sample.isNull {
      switch null {
      case .value: break
      case .ignored: return
      case .passed: return box.outputs.passNull(into: &results)
      }
    }
    defer { if let times { times.arm() } }
    if isOption {
      try box.change(name, to: sample.value)
      times?.optionChanged()
    } else {
      try box.receive(sample, on: name, &results)
    }
  }

  func handle(_ result: KindResults.Result, _ refusal: KindResults.Refusal) {
    box.outputs.handle(result, refusal)
  }
}

extension Patch {
  /// Gives the patch the ports of a kind.
  func install(_ kind: any PatchKind, options: PatchOptions) throws(PatchError) {
    if let timed = kind as? any TimedPatchKind {
      try install(timed: timed, options: options)
    } else {
      try install(untimed: kind, options: options)
    }
  }

  private func install(
    untimed kind: some PatchKind, options: PatchOptions
  ) throws(PatchError) {
    try install(kind, options: options) { _ in nil }
  }

  private func install(
    timed kind: some TimedPatchKind, options: PatchOptions
  ) throws(PatchError) {
    try install(kind, options: options) { KindAlarm($0) }
  }

  private func install<Kind: PatchKind>(
    _ kind: Kind, options: PatchOptions, _ makeTimes: (KindBox<Kind>) -> (any KindTimes)?
  ) throws(PatchError) {
    var outputs: [Port] = []
    for port in kind.outputPorts { outputs.append(try makePort(port, .output, nil)) }
    let box = KindBox(kind, outputs: KindOutputs(outputs, of: self))
    let times = makeTimes(box)
    for port in kind.inputPorts {
      let null: KindInput<Kind>.Null =
        !Kind.passesNull ? .value : port.isControl ? .ignored : .passed
      let input = KindInput(port.name, of: box, isOption: false, null: null, times: times)
      try define(input: port, received: input)
    }
    let received = kind.inputPorts.map(\.name)
    for option in Kind.options where !option.isFixed {
      let name = option.name
      // An option whose changes publish is received like an input.
      if !received.contains(name) {
        let input = KindInput(name, of: box, isOption: true, null: .ignored, times: times)
        try define(input: option, received: input)
      }
      if let start = options[name] { try self.start(name, at: start) }
    }
    box.begin()
    times?.begin()
  }

  /// Lets an option's input begin with a value, which is no static value of the user's.
  func start(_ input: String, at value: Payload) throws(PatchError) {
    var sample = Sample(value)
    sample.stamp(loop.instant)
    try port(input, .input).remember(sample)
  }
}

extension KindBox {
  /// Lets a kind publish that does so at creation.
  fileprivate func begin() {
    let kind = kind.withClaim { $0 }
    guard var starting = kind as? any StartingKind else { return }
    starting.begin { outputs.publish(Sample($1), on: $0) }
  }
}
