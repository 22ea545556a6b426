import Gathering
import Ground
import Machine

/// The list of processors that are on line, taken apart only when it has changed.
///
/// On a live machine `/proc/stat` has a line for each of them and for no other, as the kernel
/// writes both of one set. So the list stands while those lines are its processors', which costs
/// less than to read it again. Where they are not, as in a container that shows a table of its own,
/// it is always read.
final class OnlineProcessors {
  private let file: PolledFile
  private let isLive: Bool
  private var list: ProcessorList?
  /// Why there is no list.
  private(set) var absence: Outcome = .notRead

  init(_ machine: Machine) {
    file = PolledFile("\(Processor.folder)/online", in: machine.files)
    isLive = machine.nature == .live
  }

  /// The list's text as it came.
  var raw: RawValue? { file.lastRaw }

  /// Reads the list; nil where there is none. `agrees` tells whether the lines that were read a
  /// moment ago are those of a list.
  func read(unless agrees: (ProcessorList) -> Bool) -> ProcessorList? {
    if isLive, let list, agrees(list) { return list }
    do throws(SystemError) {
      if try file.hasChanged() { understand() }
    } catch {
      list = nil
      absence = .from(error)
    }
    return list
  }

  private func understand() {
    let text = file.bytes.trimmed
    list = text.isEmpty ? nil : ProcessorList(text)
    absence = text.isEmpty ? .noData("empty text") : list == nil ? .unparsable(text) : .notRead
  }
}

/// The list as the reader of all processors has just read it, for its members: however many there
/// are, the file is read once.
final class SharedProcessorList: Sendable {
  private let list = Lock<ProcessorList?>(nil)

  /// Sets the list for the members that are read next.
  func set(_ new: ProcessorList?) { list.withLock { if $0 != new { $0 = new } } }

  /// Whether a processor is on line; nil where there is no list.
  func contains(_ processor: Int) -> Bool? { list.withLock { $0?.contains(processor) } }
}
