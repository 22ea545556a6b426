import Gathering
import Ground

/// The blocks whose texts the getters of a source have lent: for each thread one by each function,
/// until the next call of that function on that thread (C API R2).
final class LentBlocks: Sendable {
  private struct Entry: Sendable {
    var thread: UInt
    var value: Block?
    var values: Block?
    var reading: Block?
  }

  private let entries = Lock<[Entry]>([], rank: .handle)

  // A block without texts lends nothing.

  /// Keeps a block for what `gkit_source_get_value` lends.
  func keepForValue(_ block: Block) { if block.lendsTexts { keep(block, \.value) } }

  /// Keeps a block for what `gkit_source_get_values` lends.
  func keepForValues(_ block: Block) { if block.lendsTexts { keep(block, \.values) } }

  /// Keeps a block for what `gkit_source_read_values` lends.
  func keepForReading(_ block: Block) { if block.lendsTexts { keep(block, \.reading) } }

  @inline(never)
  private func keep(_ block: Block, _ place: WritableKeyPath<Entry, Block?>) {
    let thread = CurrentThread.identity
    let former = entries.withLock { entries -> Block? in
      let index =
        entries.firstIndex { $0.thread == thread }
        ?? {
          entries.append(Entry(thread: thread))
          return entries.count - 1
        }()
      defer { entries[index][keyPath: place] = block }
      return entries[index][keyPath: place]
    }
    withExtendedLifetime(former) {}
  }
}
