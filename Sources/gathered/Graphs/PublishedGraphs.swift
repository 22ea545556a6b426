import CommandOptions
import Gathering
import Ground
import Patches
import Recording
import Streams

/// Graphs that run while a recorder takes what they put out.
struct PublishedGraphs {
  /// They keep their patches.
  private let graphs: [Graph]
  private let troubles: [Connection]

  /// Makes the graphs of documents, and adds their outputs as streams. Prints the first error of
  /// each patch.
  init(_ documents: [DocumentFile], to recorder: Recorder, in context: Context) throws {
    graphs = try documents.map { try $0.load(in: context) }
    let members = graphs.map { GraphMembers(of: $0) }
    troubles = members.flatMap(\.all).map(Self.report)
    for (document, graph) in zip(documents, graphs) {
      let names = graph.patch.outputNames
      if names.isEmpty {
        CommandFailure("\(document.name) offers no outputs, so it publishes nothing").report()
      }
      for name in names {
        let output = DynamicStream(try graph.patch.output(name), in: context)
        do throws(SourceError) {
          try recorder.add(output, named: name)
        } catch {
          throw CommandFailure(error, about: "\(document.name): \(name)")
        }
      }
    }
    // Each source that cannot be used is printed.
    for members in members { _ = try members.failure(in: context) }
  }

  /// Prints the first error of a patch: a value that does not fit often repeats.
  private static func report(_ member: GraphMembers.Member) -> Connection {
    let isTold = Monitor(false)
    return member.patch.errors.subscribe { error in
      let wasTold = isTold.withLock { isTold in
        defer { isTold = true }
        return isTold
      }
      if !wasTold { CommandFailure("\(member.path): \(error.message)").report() }
    }
  }

  /// Lets go of them.
  func end() {
    for trouble in troubles { trouble.disconnect() }
  }
}
