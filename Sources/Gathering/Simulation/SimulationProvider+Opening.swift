import Glibc
import Machine

extension SimulationProvider {
  /// A built-in device: `empty`, `laptop` or `phone`; another name is `notFound`.
  convenience init(
    named name: String, catalogue: [any SourceKind], loop: any Loop
  ) throws(SourceError) {
    let devices = [("empty", ""), ("laptop", LaptopScript.text), ("phone", PhoneScript.text)]
    guard let (_, text) = devices.first(where: { $0.0 == name }) else {
      let known = devices.map(\.0).joined(separator: ", ")
      throw .notFound(
        "no simulated device \(Array(name.utf8).quotedExcerpt); there are \(known)")
    }
    let script = try Script(parsing: text.utf8, catalogue: catalogue, unknownKinds: .leftOut)
    self.init(script, catalogue: catalogue, loop: loop)
  }

  /// The device of a script; a missing file is `notFound`, a bad line `parse`.
  convenience init(
    scriptAt path: String, catalogue: [any SourceKind], loop: any Loop
  ) throws(SourceError) {
    let text = try Self.text(at: path)
    self.init(try Script(parsing: text, catalogue: catalogue), catalogue: catalogue, loop: loop)
  }

  /// The largest script read.
  private static var sizeLimit: Int { 1 << 26 }

  private static func text(at path: String) throws(SourceError) -> ArraySlice<UInt8> {
    // The kernel's own name for the folder this process is in.
    let place = path.utf8.starts(with: "/".utf8) ? path : "/proc/self/cwd/" + path
    do {
      return try KeptFile(place, in: RootedFileTree.live, limit: sizeLimit).read()
    } catch {
      guard error.code == ENOENT || error.code == ENOTDIR else {
        throw .io(errno: error.code, place: path)
      }
      throw .notFound("\(path): \(SystemText.message(of: error.code))")
    }
  }
}
