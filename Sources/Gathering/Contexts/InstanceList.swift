import Ground
public import Streams
import Values

/// The instances of a context as an observable list: the present instances, then every change, with
/// nothing missed in between.
///
/// It follows the context while it is observed, by the one watch that all lists of a kind share,
/// and costs nothing otherwise. When the context is closed it stops changing.
public final class InstanceList: ObservableArray {
  /// The list and its changes, moment by moment.
  public let moments: any ObservableValue<ArrayMoment<SourceDescription>>
  private let context: Context

  /// Of a kind, which is the one of an index, or of all.
  init(of kind: String?, _ index: Int?, in context: Context) {
    self.context = context
    moments =
      fedArray(
        of: index == nil ? context.catalogue.count : 1,
        by: { ExactText($0.id.description) }, isSame: { $0.isSpelt(like: $1) },
        list: { [weak context] in context?.listedSources(of: kind) ?? [] },
        news: { [weak context] in context?.listNews(of: index, since: &$0) ?? [] },
        watch: { [weak context] refresh in
          try? context?.watch(kind, isOfLists: true) { _ in refresh() }
        }
      ).moments
  }

  /// Opens a source for each instance that is there or appears, and lets go of it when the instance
  /// has gone or the connection is cut.
  ///
  /// `body` is called once for each that can be opened, in turn with the callbacks of the context.
  public func gather(_ body: @escaping @Sendable (Source) -> Void) -> Connection {
    let context = context
    let open = Lock<[ExactText: Source]>([:])
    return subscribe { list in
      let ids = Set(list.map { ExactText($0.id.description) })
      let gone = open.withLock { sources in
        let gone = sources.filter { !ids.contains($0.key) }
        for id in gone.keys { sources[id] = nil }
        return gone
      }
      _ = consume gone
      for description in list {
        let id = ExactText(description.id.description)
        guard open.withLock({ $0[id] == nil }),
          let source = try? context.open(description.id)
        else { continue }
        open.withLock { $0[id] = source }
        body(source)
      }
    }
  }
}

extension Context {
  /// The instances of a kind, or of every kind in the order of the catalogue, as a list that can be
  /// watched. Starts nothing. Throws `notFound` for an unknown kind.
  public func instances(of kind: String? = nil) throws(SourceError) -> InstanceList {
    InstanceList(of: kind, try index(of: kind), in: self)
  }

  /// The lists that are others than the numbers say, of the kind of an index or of all, with their
  /// numbers; none of a closed context.
  fileprivate func listNews(
    of kind: Int?, since numbers: inout [UInt64]
  ) -> [(part: Int, elements: [SourceDescription])] {
    core.withLock { state in
      if state.isClosed { return [] }
      var news: [(part: Int, elements: [SourceDescription])] = []
      for (part, index) in (kind.map { [$0] } ?? Array(catalogue.indices)).enumerated() {
        let number = state.kinds[index].listNumber
        guard number != numbers[part] else { continue }
        numbers[part] = number
        news.append((part, state.descriptions(of: index)))
      }
      return news
    }
  }
}
