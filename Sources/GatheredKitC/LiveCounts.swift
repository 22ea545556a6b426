import Patches
import Synchronization

/// How many objects of each handle type exist, kept by the host or by the library: for leak tests.
enum LiveCounts {
  private static let contexts = Atomic<Int64>(0)
  private static let sources = Atomic<Int64>(0)
  private static let connections = Atomic<Int64>(0)
  private static let connectors = Atomic<Int64>(0)
  private static let readers = Atomic<Int64>(0)
  private static let frames = Atomic<Int64>(0)
  private static let dicts = Atomic<Int64>(0)
  private static let streams = Atomic<Int64>(0)
  private static let dataSources = Atomic<Int64>(0)
  private static let futures = Atomic<Int64>(0)
  private static let sinks = Atomic<Int64>(0)

  /// Adds to a type's count.
  static func add(_ change: Int64, _ type: HandleType) {
    switch type {
    case .context: contexts.wrappingAdd(change, ordering: .relaxed)
    case .source: sources.wrappingAdd(change, ordering: .relaxed)
    case .connection: connections.wrappingAdd(change, ordering: .relaxed)
    case .connector: connectors.wrappingAdd(change, ordering: .relaxed)
    case .reader: readers.wrappingAdd(change, ordering: .relaxed)
    case .frame: frames.wrappingAdd(change, ordering: .relaxed)
    case .dict: dicts.wrappingAdd(change, ordering: .relaxed)
    case .stream: streams.wrappingAdd(change, ordering: .relaxed)
    case .datasource: dataSources.wrappingAdd(change, ordering: .relaxed)
    case .future: futures.wrappingAdd(change, ordering: .relaxed)
    case .sink: sinks.wrappingAdd(change, ordering: .relaxed)
    // Counted where they are: most are kept by graphs and wires alone.
    case .patch: break
    }
  }

  /// A type's count.
  static func of(_ type: HandleType) -> Int64 {
    switch type {
    case .context: contexts.load(ordering: .relaxed)
    case .source: sources.load(ordering: .relaxed)
    case .connection: connections.load(ordering: .relaxed)
    case .connector: connectors.load(ordering: .relaxed)
    case .reader: readers.load(ordering: .relaxed)
    case .frame: frames.load(ordering: .relaxed)
    case .dict: dicts.load(ordering: .relaxed)
    case .stream: streams.load(ordering: .relaxed)
    case .datasource: dataSources.load(ordering: .relaxed)
    case .future: futures.load(ordering: .relaxed)
    case .sink: sinks.load(ordering: .relaxed)
    case .patch: Int64(Patch.livingCount)
    }
  }
}
