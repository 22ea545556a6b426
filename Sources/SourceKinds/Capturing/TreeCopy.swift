import Gathering
import Ground
import Machine

/// Copies files, folders and links of a tree, each at its own place, with the links on the way.
struct TreeCopy {
  private(set) var withheld: Set<String> = []
  private(set) var unread: Set<String> = []
  /// How many bytes the files have.
  private(set) var size = 0
  var tree = FolderTree()
  private let files: any FileTree
  private let privacy: CapturePrivacy

  init(of files: any FileTree, _ privacy: CapturePrivacy) {
    self.files = files
    self.privacy = privacy
  }

  /// Adds a path that was followed: its target must exist in the copy.
  mutating func addPlace(_ path: String) {
    guard let place = follow(path) else { return }
    if (try? files.entries(of: place)) != nil {
      tree.folders.insert(place)
    } else if tree.files[place] == nil {
      tree.files[place] = []
    }
  }

  /// Adds a folder and the names of its entries.
  ///
  /// Files that were not read are copied empty: their presence may matter, and reading them may
  /// have side effects.
  mutating func addFolder(_ path: String) {
    guard let place = follow(path), let names = try? files.entries(of: place) else { return }
    tree.folders.insert(place)
    for name in names where !name.unicodeScalars.contains("\u{FFFD}") {
      let child = place == "/" ? "/" + name : place + "/" + name
      if child == "/proc/self" { continue }
      if let target = try? files.linkTarget(of: child) {
        if !isWithheld(child, target) { addLink(child, target) }
      } else if isWithheld(child) {
        continue
      } else if (try? files.entries(of: child)) != nil {
        tree.folders.insert(child)
      } else if tree.files[child] == nil {
        tree.files[child] = []
      }
    }
  }

  /// A file that was read.
  mutating func addFile(_ path: String) {
    guard let place = follow(path) else { return }
    do throws(SystemError) {
      let file = PolledFile(
        place, in: files, limit: MachineCapture.fileLimit, holding: .bytes)
      let bytes = privacy.visible(Array(try file.read()), of: place)
      size += bytes.count - (tree.files[place]?.count ?? 0)
      tree.files[place] = bytes
    } catch {
      // A folder in place of a file is shown by the error; a file removed since the reading is left
      // out.
      if error.code == SystemText.isDirectory {
        tree.folders.insert(place)
      } else if error.code != SystemText.noEntry {
        unread.insert(place)
      }
    }
  }

  /// The place a path leads to, its links added; nil where something on the way is withheld.
  private mutating func follow(_ path: String) -> String? {
    var pending = path.split(separator: "/").reversed().map(String.init)
    var done: [String] = []
    var linksLeft = 40
    while let name = pending.popLast() {
      if name == "." { continue }
      if name == ".." {
        _ = done.popLast()
        continue
      }
      let next = (done + [name]).reduce(into: "") { $0 += "/" + $1 }
      // The process that captures is not the one that was captured.
      guard next != "/proc/self", let target = try? files.linkTarget(of: next), linksLeft > 0
      else {
        if isWithheld(next) { return nil }
        done.append(name)
        continue
      }
      if isWithheld(next, target) { return nil }
      addLink(next, target)
      linksLeft -= 1
      if target.utf8.first == UInt8(ascii: "/") { done = [] }
      pending += target.split(separator: "/").reversed().map(String.init)
    }
    return done.isEmpty ? "/" : done.reduce(into: "") { $0 += "/" + $1 }
  }

  /// A link keeps its text, unless that climbs out of the tree, which the kernel forgives.
  private mutating func addLink(_ place: String, _ target: String) {
    var depth = place.split(separator: "/").count - 1
    var climbsOut = false
    if target.utf8.first == UInt8(ascii: "/") { depth = 0 }
    for part in target.split(separator: "/") where part != "." {
      depth += part == ".." ? -1 : 1
      climbsOut = climbsOut || depth < 0
    }
    tree.links[place] = climbsOut ? (try? files.canonicalPath(of: place)) ?? "/" : target
  }

  private mutating func isWithheld(_ place: String, _ target: String = "") -> Bool {
    guard privacy.hides(place) || privacy.hides(target) else { return false }
    withheld.insert(place)
    return true
  }
}
