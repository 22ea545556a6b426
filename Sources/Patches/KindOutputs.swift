import Gathering
import Values

/// The outputs of a kind, on which it publishes by their names.
final class KindOutputs: Sendable {
  private struct Output: Sendable {
    let name: String
    let hint: PortType
    let key: PortKey
  }

  private let outputs: ContiguousArray<Output>
  /// Whether names that `String` takes for equal are the same bytes if they are as long.
  private let hasPlainNames: Bool
  private let values: LoopValues
  weak let patch: Patch?

  init(_ ports: [Port], of patch: Patch) {
    outputs = ContiguousArray(
      ports.map { Output(name: $0.name, hint: $0.hint, key: $0.key) })
    hasPlainNames = ports.allSatisfy { $0.name.utf8.allSatisfy { $0 < 0x80 } }
    values = patch.loop.values
    self.patch = patch
  }

  /// Publishes on an output while the kind receives; the delivery places it.
  @inline(__always)
  func publish(_ payload: Payload, on output: String, into results: inout KindResults) {
    guard let index = index(of: output) else { return }
    leave(.carrying(payload), at: index, in: &results)
  }

  /// The same of null on every output.
  func passNull(into results: inout KindResults) {
    for index in outputs.indices { leave(.null, at: index, in: &results) }
  }

  @inline(__always)
  private func leave(_ sample: Sample, at index: Int, in results: inout KindResults) {
    guard outputs[index].hint.takes(sample) else { return }
    results.append(sample, for: index, outputs[index].key)
  }

  /// Handles a result that could not be placed.
  func handle(_ result: KindResults.Result, _ refusal: KindResults.Refusal) {
    let name = outputs[result.output].name
    switch refusal {
    case .full: patch?.announce(.cascadeLimit(output: name))
    // Another output may have been put in its place.
    case .closed: try? patch?.publish(result.sample, on: name)
    }
  }

  /// Publishes on an output when the kind does not receive; what is refused has been announced, and
  /// goes nowhere. A sample may have times of its own.
  func publish(_ sample: Sample, on output: String) {
    guard let index = index(of: output), outputs[index].hint.takes(sample) else { return }
    var sample = sample
    switch values.publish(&sample, on: outputs[index].key) {
    case .placed(isInside: false): patch?.loop.deliver()
    case .placed, .unheard, .untimed, .refused(isFirst: false): break
    case .refused(isFirst: true): patch?.announce(.cascadeLimit(output: outputs[index].name))
    // Another output may have been put in its place.
    case .closed: try? patch?.publish(sample, on: outputs[index].name)
    }
  }

  @inline(__always)
  private func index(of output: String) -> Int? {
    if let first = outputs.first, first.name.isVery(output) { return 0 }
    return outputs.firstIndex { isName($0.name, output) }
  }

  private func isName(_ name: String, _ other: String) -> Bool {
    hasPlainNames ? name == other && name.utf8.count == other.utf8.count : name.isSpelt(other)
  }
}
