import GatheredKitTesting
import Gathering
import Ground
import Patches
import Streams
import Testing
import Values

@testable import SourceKinds

/// A context under a manual clock, and what arrives at ports.
struct Bench {
  let context: Context

  init(_ uri: String = "sim:laptop&clock=manual") throws {
    context = try Context.open(uri, mode: .host, catalogue: SourceCatalogue.all)
  }

  /// The device of a script.
  init(script: String) throws {
    let folder = try TemporaryFolder()
    try folder.write(Array(script.utf8), to: "/script")
    try self.init("sim:file=\(folder.path)/script&clock=manual")
  }

  func patch() -> Patch { Patch(in: context) }

  func patch(_ type: String, _ options: ValueDictionary = [:]) throws -> Patch {
    try context.makePatch(type, options: options)
  }

  func seek(seconds: Double) throws { try context.seek(to: Int64((seconds * 1e9).rounded())) }

  /// A patch that passes on what arrives.
  func relay() -> Patch {
    let patch = patch()
    patch.addOutput("out")
    patch.addInput("in") { patch, sample in try patch.publish(sample.value, on: "out") }
    return patch
  }

  /// A patch with one input `in` that notes what arrives.
  func collector(_ hint: PortType = .any) -> (Patch, CollectingSink<Value>) {
    let patch = patch()
    let seen = CollectingSink<Value>()
    patch.addInput("in", hint) { _, sample in seen.add(sample.value) }
    return (patch, seen)
  }
}

extension CollectingSink {
  func add(_ value: Value) { sink.send(value) }
}

extension Sink {
  func send(_ value: Value) {
    let signal = Signal<Value>()
    let connection = signal.subscribe(self)
    signal.send(value)
    connection.disconnect()
  }
}

extension Patch {
  /// Subscribes to an output and notes payloads.
  func collect(_ output: String) throws -> (CollectingSink<Value>, Connection) {
    let publink = try #require(outputs[output])
    let seen = CollectingSink<Value>()
    return (seen, publink.subscribe { seen.add($0.value) })
  }

  /// Feeds samples, each at its time in seconds, and gives what came out.
  func run(
    _ input: String, _ samples: [(Double, Value)], output: String
  ) throws -> [Value] {
    let (seen, connection) = try collect(output)
    for (time, value) in samples { try feed(value, at: time, to: input) }
    connection.disconnect()
    return seen.values
  }

  func feed(_ value: Value, at seconds: Double, to input: String) throws {
    let time = Int64((seconds * 1e9).rounded()) + 1
    let publink = try #require(inputs[input])
    publink.publish(Sample(value, time: time, realtime: time))
  }
}

func numbers(_ values: [Value]) -> [Double] { values.compactMap(\.number) }

func isClose(_ left: [Double], _ right: [Double], within limit: Double = 1e-9) -> Bool {
  left.count == right.count
    && zip(left, right).allSatisfy { abs($0 - $1) <= limit || ($0.isNaN && $1.isNaN) }
}
