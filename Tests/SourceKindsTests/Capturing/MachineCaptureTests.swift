import GatheredKitTesting
import Gathering
import Ground
import Testing

@testable import Machine
@testable import SourceKinds

/// What `gathered capture` copies reads as what it was copied from (sources C3, 13).
@Suite struct MachineCaptureTests {
  @Test(arguments: try fixtureMachineNames())
  func `a captured tree captured again is itself, and reads the same`(name: String) throws {
    let original = try machine(named: name)
    let capture = try MachineCapture(of: original, allow: .all)
    #expect(capture.withheld.isEmpty)
    let folder = try TemporaryFolder()
    #expect(try capture.tree.write(to: folder.path) { true })
    let copy = try Machine.captured(root: folder.path)
    let again = try MachineCapture(of: copy, allow: .all).tree
    let paths = Set(again.files.keys).union(capture.tree.files.keys).sorted()
    for path in paths { #expect(again.files[path] == capture.tree.files[path], "\(path)") }
    #expect(again.links == capture.tree.links)
    #expect(again.allFolders == capture.tree.allFolders)
    for kind in SourceCatalogue.all {
      let (first, second) = (KindHarness(kind, machine: original), KindHarness(kind, machine: copy))
      #expect(first.discover() == second.discover(), "\(kind.kind)")
      for instance in first.names {
        // What cannot be opened here cannot be opened there.
        let (here, there) = (try? first.read(instance), try? second.read(instance))
        #expect(here == there, "\(kind.kind)|\(instance)")
      }
    }
  }

  @Test(arguments: try fixtureMachineNames())
  func `without its category nothing personal is in a capture`(name: String) throws {
    let original = try machine(named: name)
    let survey = CaptureSurvey(of: original, kinds: SourceCatalogue.all)
    let tree = try MachineCapture(of: original, allow: .none).tree
    #expect(tree.files["/etc/machine-id"] == nil)
    let words = survey.personal.filter { $0.isKnown && $0.category != .hostname }
      .map { String(decoding: $0.raw.bytes[...].trimmed, as: UTF8.self).lowercased() }
      .filter { $0.utf8.count >= 4 && $0.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } }
    let texts =
      tree.files.map { $0.key + "\n" + String(decoding: $0.value, as: UTF8.self) }
      + tree.links.map { $0.key + "\n" + $0.value } + Array(tree.folders)
    for text in texts.map({ $0.lowercased() }) {
      for word in words where text.contains(word) {
        let around = text.split(whereSeparator: \.isNewline).first { $0.contains(word) } ?? ""
        let isPartOfWord = around.wholeWords.allSatisfy { $0 != word }
        #expect(isPartOfWord, "\(word) in \(around)")
      }
      let bytes = Array(text.utf8)
      for range in HardwareAddressText.ranges(in: bytes) {
        let address = String(decoding: bytes[range], as: UTF8.self)
        #expect(address.allSatisfy { "0:-_".contains($0) }, "\(address) in \(text)")
      }
    }
  }

  @Test(arguments: try fixtureMachineNames())
  func `what is not personal reads the same without any category`(name: String) throws {
    let original = try machine(named: name)
    let folder = try TemporaryFolder()
    let capture = try MachineCapture(of: original, allow: .none)
    #expect(try capture.tree.write(to: folder.path) { true })
    let copy = try Machine.captured(root: folder.path)
    for kind in SourceCatalogue.all {
      let first = KindHarness(kind, machine: original, allow: .none)
      let second = KindHarness(kind, machine: copy, allow: .none)
      // Names made of a digest are others without what is digested.
      for instance in first.names where second.names.contains(instance) {
        guard let here = try? first.read(instance) else { continue }
        let there = try second.read(instance)
        for (key, outcome) in here where outcome.hasPayload && key != "device_id" {
          #expect(there[key] == outcome, "\(kind.kind)|\(instance)/\(key)")
        }
      }
    }
  }

  @Test func `secrets of the environment and serial numbers of the processor stay where they are`()
    throws
  {
    let machine = try machine(of: [
      "/proc/self/environ": "TOKEN=geheim\0LANG=de_DE.UTF-8\0",
      "/proc/cpuinfo": "processor\t: 0\nModel\t\t: Pi 4\nSerial\t\t: 10000000abcdef12\n",
      "/proc/sys/kernel/hostname": "annas-laptop\n",
      "/sys/class/net/enx001122334455/address": "00:11:22:33:44:55\n",
      "/sys/class/net/eth0/address": "66:77:88:99:aa:bb\n",
      "/sys/class/net/eth0/mtu": "1500\n",
    ])
    let tree = try MachineCapture(of: machine, allow: .none).tree
    #expect(tree.files["/proc/self/environ"] == Array("LANG=de_DE.UTF-8\0".utf8))
    #expect(tree.files["/proc/sys/kernel/hostname"] == nil)
    #expect(tree.files["/sys/class/net/eth0/address"] == nil)
    #expect(tree.files["/sys/class/net/eth0/mtu"] == Array("1500\n".utf8))
    #expect(!tree.files.keys.contains { $0.contains("enx") })
    let processor = tree.files["/proc/cpuinfo"].map { String(decoding: $0, as: UTF8.self) } ?? ""
    #expect(processor.contains("Pi 4") && !processor.contains("abcdef"))
    let all = try MachineCapture(of: machine, allow: .all).tree
    #expect(all.files["/sys/class/net/eth0/address"] == Array("66:77:88:99:aa:bb\n".utf8))
    #expect(all.files["/proc/self/environ"] == Array("LANG=de_DE.UTF-8\0".utf8))
  }

  @Test func `a folder that holds something is left alone, and a tree that is given up is gone`()
    throws
  {
    let tree = try MachineCapture(of: machine(named: "board"), allow: .none).tree
    let folder = try TemporaryFolder()
    try folder.write([1], to: "/full/mine")
    let failure = #expect(throws: SystemError.self) {
      _ = try tree.write(to: folder.path + "/full") { true }
    }
    #expect(failure?.code == 39)
    var asked = 0
    let isWhole = try tree.write(to: folder.path + "/new") {
      asked += 1
      return asked < 2
    }
    #expect(!isWhole)
    #expect(try RootedFileTree.live.entries(of: folder.path) == ["full"])
    #expect(try RootedFileTree.live.entries(of: folder.path + "/full") == ["mine"])
  }
}

extension Substring {
  /// Its letters and digits in rows, also joined as names and addresses are.
  fileprivate var wholeWords: [Substring] {
    split { !($0.isLetter || $0.isNumber || "-_.:".contains($0)) }
  }
}

extension FolderTree {
  /// Its folders, those that are there only for what they hold included.
  fileprivate var allFolders: Set<String> {
    var all: Set<String> = []
    for path in folders {
      var folder = ""
      for name in path.split(separator: "/") {
        folder += "/" + name
        all.insert(folder)
      }
    }
    for path in Array(files.keys) + links.keys {
      var folder = ""
      for name in path.split(separator: "/").dropLast() {
        folder += "/" + name
        all.insert(folder)
      }
    }
    return all
  }
}
