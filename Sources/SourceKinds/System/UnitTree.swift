import Gathering
import Ground
import Machine
import Values

/// Finds the units in the tree of control groups, the upper ones first.
struct UnitTree {
  static let root = "/sys/fs/cgroup"
  /// The most units that are listed, and the most other folders that are looked into.
  static let limit = 1000
  private static let otherLimit = 3000
  /// How deep the tree is followed; systemd's own has six floors.
  private static let depth = 32

  private struct Folder {
    let path: String
    let place: UnitName.Place
    /// The unit it is, if it is one.
    var unit: UnitName?
    /// The folder of the unit it is in.
    let parent: Int?
    var children: [Int] = []
  }

  private let files: any FileTree
  private let own: String
  private var folders: [Folder] = []
  private var count = 0
  private var isCut = false

  /// The units of a machine, our own first.
  static func discover(on files: any FileTree) -> Discovery {
    let names: [String]
    do throws(SystemError) {
      names = try files.entries(of: root)
    } catch {
      let isMissing = error.code == SystemText.noEntry
      return Discovery(
        [], orElse: isMissing ? missing(error) : Availability(listing: error, backend: backend))
    }
    guard names.contains("cgroup.controllers") else { return Discovery([], orElse: older) }
    // Only the root of the machine's own tree has no such file.
    var tree = UnitTree(files, isWhole: !names.contains("cgroup.events"))
    tree.look()
    return Discovery(tree.instances, orElse: Availability.noUnits)
  }

  private static let backend = "cgroup"

  private static func missing(_ error: SystemError) -> Availability {
    Availability(
      .unsupportedByKernel, backend: backend, detail: "there is no \(root)", errno: error.code,
      remedy: "mount the file system cgroup2 at \(root)")
  }

  private static let older = Availability(
    .unsupportedByKernel, backend: backend,
    detail: "\(root) has control groups of version 1",
    remedy: "boot with systemd.unified_cgroup_hierarchy=1")

  private let isWhole: Bool

  private init(_ files: any FileTree, isWhole: Bool) {
    self.files = files
    self.isWhole = isWhole
    own = (try? ControlGroup.folder(on: files)) ?? Self.root
  }

  private mutating func look() {
    folders = [Folder(path: Self.root, place: UnitName.Place(), parent: nil)]
    if !isWhole {
      folders[0].unit = .container
      count = 1
    }
    var level = [0]
    for _ in 0..<Self.depth where !level.isEmpty {
      var next: [Int] = []
      for index in level { next += addFolders(in: index) }
      level = next
    }
    isCut = isCut || !level.isEmpty
  }

  /// Adds the folders in one; those on the way to our own group have room in any case.
  private mutating func addFolders(in index: Int) -> [Int] {
    let above = folders[index]
    let names = (try? files.folders(in: above.path)) ?? []
    let parent = above.unit == nil ? above.parent : index
    var added: [Int] = []
    for name in names.sorted(by: NaturalOrder.areInIncreasingOrder) {
      let path = "\(above.path)/\(name)"
      let unit = UnitName(of: name, in: above.place)
      let isFull =
        unit == nil ? folders.count - count >= Self.otherLimit : count >= Self.limit
      if isFull && !(own == path || own.hasPrefix("\(path)/")) {
        isCut = true
        continue
      }
      var folder = Folder(
        path: path,
        place: unit?.below ?? UnitName.place(below: name, in: above.place), parent: parent)
      folder.unit = unit
      if unit != nil { count += 1 }
      added.append(folders.count)
      folders.append(folder)
    }
    folders[index].children = added
    return added
  }

  private var instances: [Instance] {
    var order: [Int] = []
    var open = [0]
    while let index = open.popLast() {
      if folders[index].unit != nil { order.append(index) }
      open += folders[index].children.reversed()
    }
    // Of several of one name the upper one keeps it.
    let units = folders.indices.filter { folders[$0].unit != nil }
    let availability = self.availability
    let named = units.compactMap { instance(of: folders[$0], availability) }.withDistinctNames()
    let all = Dictionary(zip(units, named)) { first, _ in first }
    var found = order.compactMap { index -> Instance? in
      var instance = all[index]
      instance?.notes["parent"] = folders[index].parent.flatMap { all[$0]?.name }
      return instance
    }
    // The innermost group that we are in.
    let index = found.lastIndex { own == $0.path || own.hasPrefix("\($0.path)/") }
    if let index { found.insert(found.remove(at: index), at: 0) }
    return found
  }

  private func instance(of folder: Folder, _ availability: Availability) -> Instance? {
    guard let name = folder.unit else { return nil }
    let last = folder.path.split(separator: "/").last.map(String.init) ?? ""
    var instance = Instance(
      name.id, label: name.type == "container" ? name.id : name.unit,
      aliases: name.type == "container" && last != name.id && folder.path != Self.root
        ? [last] : [],
      availability: availability, path: folder.path, notes: ["type": name.type, "unit": name.unit])
    instance.topics = [.file(path: "\(folder.path)/\(UnitFile.events.rawValue)")]
    return instance
  }

  private var availability: Availability {
    var limits: [String] = []
    if !isWhole { limits.append("only the tree of this container is seen") }
    if isCut { limits.append("the deepest groups are left out: \(Self.limit) are listed") }
    return Availability(
      .available, backend: Self.backend, detail: limits.joined(separator: "; "))
  }
}

extension Availability {
  /// The tree is there, and empty.
  fileprivate static let noUnits = Availability(
    .noHardware, backend: "cgroup", detail: "no group in \(UnitTree.root) is a unit")
}
