public import Gathering
import Ground
public import Machine

/// A copy of the files of a machine that kinds read, as a captured tree (sources C3).
///
/// The files to copy are found by reading every kind once; there is no fixed list. Personal files
/// are left out, and personal parts of others blanked, unless their category is allowed (sources
/// 13).
public struct MachineCapture: Sendable {
  /// The tree, side files included.
  public let tree: FolderTree
  /// Files, folders and links left out because they are personal.
  public let withheld: Set<String>
  /// Files that could not be read, and those too long to be copied.
  public let unread: Set<String>

  /// The longest file copied: longer ones are no attributes or tables.
  public static let fileLimit = 4 << 20
  /// The most files.
  public static let countLimit = 50_000
  /// The most bytes of all files together.
  public static let sizeLimit = 64 << 20

  /// Reads every kind of a machine, and all it read once more. Throws `io` with EFBIG when that is
  /// more than the limits.
  ///
  /// May take as long as the slowest sensor.
  public init(
    of machine: Machine, kinds: [any SourceKind] = SourceCatalogue.all, allow: Allowance
  ) throws(SourceError) {
    let survey = CaptureSurvey(of: machine, kinds: kinds)
    let privacy = CapturePrivacy(survey, allow: allow)
    var copy = TreeCopy(of: machine.files, privacy)
    let trace = survey.trace
    for path in trace.links.sorted() { copy.addPlace(path) }
    for path in trace.folders.sorted() { copy.addFolder(path) }
    for path in trace.files.sorted() {
      copy.addFile(path)
      if copy.tree.files.count > Self.countLimit || copy.size > Self.sizeLimit {
        throw .io(errno: .fileTooLarge, place: path)
      }
    }
    copy.tree.add(trace.statistics)
    copy.tree.add(switches: survey.switchStates)
    copy.tree.add(clock: survey.clock)
    tree = copy.tree
    withheld = copy.withheld
    unread = copy.unread.union(trace.refused)
  }
}

/// One reading of every instance of every kind, and a record of what it read.
struct CaptureSurvey {
  /// A personal value that was found.
  struct Personal {
    var category: PrivacyCategory
    var raw: RawValue
    /// Whether it has a value, which must then not appear anywhere else.
    var isKnown: Bool
  }

  private(set) var personal: [Personal] = []
  /// The places values come from that are not personal.
  private(set) var ordinaryPlaces: Set<String> = []
  /// The files that were read.
  private(set) var trace = TracedFiles.Trace()
  /// The states of the switches.
  private(set) var switchStates: [String: UInt64] = [:]
  /// The state of the kernel's clock, if it was read.
  private(set) var clock: ClockNumbers?

  init(of machine: Machine, kinds: [any SourceKind]) {
    let files = TracedFiles(machine.files)
    let switches = TracedSwitches(machine.switches)
    let clock = machine.clocks.kernel.map { TracedClock($0) }
    // Read as a captured tree: other files than those of a live machine, and no daemons.
    let traced = Machine(
      nature: .captured, files: files, notices: nil, clock: machine.clock, switches: switches,
      addresses: nil,
      iio: IIOAccess(
        files: files, scans: machine.nature == .captured ? CapturedScans(files: files) : nil,
        mayBlock: false),
      clocks: ClockAccess(kernel: clock))
    for kind in kinds {
      for instance in kind.discover(on: traced).instances where kind.category == nil {
        guard let reader = try? kind.open(instance, on: traced) else { continue }
        read(reader, instance.properties ?? kind.properties)
      }
    }
    trace = files.trace
    switchStates = switches.states
    self.clock = clock?.last
  }

  private mutating func read(_ reader: any InstanceReader, _ properties: [Property]) {
    var reading = Reading(properties: properties.count)
    reader.read(ReadRequest(scope: .everything, allow: .all), into: &reading)
    for (index, property) in properties.enumerated() {
      guard let raw = reader.raw(ofPropertyAt: index) else { continue }
      if let category = property.category {
        let isKnown = reading.status(at: index).hasPayload
        personal.append(Personal(category: category, raw: raw, isKnown: isKnown))
      } else {
        ordinaryPlaces.insert(raw.place)
      }
    }
    guard let reader = reader as? any StreamingReader else { return }
    // A buffer that was captured is opened, so that its layout and its records are copied too.
    let stream = try? reader.openStream(every: 1, on: VirtualLoop()) { _ in
    } ended: { _ in
    }
    stream?.cancel()
  }
}
