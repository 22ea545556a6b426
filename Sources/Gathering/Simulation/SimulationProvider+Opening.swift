import Ground
import Values

extension SimulationProvider {
  /// A built-in device: `empty`, `laptop` or `phone`; another name is `notFound`.
  convenience init(
    named name: String, catalogue: [any SourceKind], loop: any Loop
  ) throws(SourceError) {
    let device = BuiltInDevice(rawValue: name)
    guard device != nil || name == "empty" else {
      let known = (["empty"] + BuiltInDevice.allCases.map(\.rawValue)).joined(separator: ", ")
      throw .notFound(
        "no simulated device \(Array(name.utf8).quotedExcerpt); there are \(known)")
    }
    let text = device.map { device in
      catalogue.map { $0.simulated(on: device) }.joined(separator: "\n")
    }
    let script = try Script(parsing: (text ?? "").utf8, catalogue: catalogue, origin: .library)
    self.init(script, catalogue: catalogue, loop: loop)
  }

  /// The device of a script; a missing file is `notFound`, a bad line `parse`.
  convenience init(
    scriptAt path: String, catalogue: [any SourceKind], loop: any Loop
  ) throws(SourceError) {
    let text = try NamedFile(path).bytes(limit: Self.sizeLimit)
    self.init(try Script(parsing: text, catalogue: catalogue), catalogue: catalogue, loop: loop)
  }

  /// The largest script read.
  private static var sizeLimit: Int { 1 << 26 }
}
