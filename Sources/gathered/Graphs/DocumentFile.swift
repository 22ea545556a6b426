import Gathering
import Glibc
import Patches

/// The document of a graph that a command line names.
struct DocumentFile {
  /// Its name in messages.
  let name: String
  let bytes: [UInt8]

  /// The largest size of a document, in bytes.
  private static let limit = 16 << 20

  /// Reads a file, or standard input for `-`, to its end.
  init(at path: String) throws {
    if path == "-" {
      name = "standard input"
      bytes = try Self.bytes(of: STDIN_FILENO, named: name)
      return
    }
    name = path
    // A path of the command line may be of a pipe, which only a plain open and read can take.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Self.failure(errno, of: path) }
    defer { close(descriptor) }
    bytes = try Self.bytes(of: descriptor, named: path)
  }

  /// Makes the graph, or prints all problems of the document and throws.
  func load(in context: Context) throws -> Graph {
    do throws(PatchError) {
      return try Graph.load(bytes, in: context)
    } catch .invalidGraph(let problems) {
      for problem in problems { StandardError.write("\(line(of: problem))\n") }
      throw CommandFailure(summary(of: problems))
    } catch {
      throw CommandFailure("\(name): \(error.message)")
    }
  }

  /// `FILE: POINTER: CODE: SENTENCE; did you mean NAME?` on one line.
  func line(of problem: GraphProblem) -> String {
    var text = "\(name): \(problem.pointer.isEmpty ? "" : problem.pointer + ": ")"
    text += "\(problem.code.rawValue): \(problem.message)"
    // Some messages already name the nearest name.
    if let nearest = problem.nearest, !problem.message.contains("did you mean") {
      text += "; did you mean \(nearest)?"
    }
    return text.printable
  }

  /// How many problems there are.
  func summary(of problems: [GraphProblem]) -> String {
    "\(name): \(problems.count == 1 ? "one problem" : "\(problems.count) problems")"
  }

  private static func bytes(of descriptor: Int32, named name: String) throws -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count <= limit {
      let count = read(descriptor, &chunk, chunk.count)
      if count == 0 { return bytes }
      if count > 0 {
        bytes += chunk.prefix(count)
      } else if errno != EINTR {
        throw failure(errno, of: name)
      }
    }
    throw CommandFailure("\(name): longer than \(limit >> 20) MiB, the limit for graphs")
  }

  private static func failure(_ errno: Int32, of name: String) -> CommandFailure {
    CommandFailure("\(name): \(SystemText.message(of: errno))")
  }
}
