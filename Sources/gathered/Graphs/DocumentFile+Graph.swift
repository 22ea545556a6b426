import CommandOptions
import Gathering
import Patches

extension DocumentFile {
  /// Reads the document that a command line names, or standard input for `-`.
  static func named(_ path: String) throws -> DocumentFile {
    do throws(DocumentError) {
      return try DocumentFile(at: path)
    } catch {
      throw CommandFailure(error.message)
    }
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
}
