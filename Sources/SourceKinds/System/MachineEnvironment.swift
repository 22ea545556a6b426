import Gathering
import Ground
import Machine
import Values

/// The user's settings of a machine: language, time zone, its name.
final class MachineEnvironment {
  private let files: any FileTree
  private let variables: PolledFile
  private let chosen: PolledFile
  private let zone: PolledFile

  init(in files: any FileTree) {
    self.files = files
    variables = PolledFile("/proc/self/environ", in: files, limit: 1 << 22, holding: .bytes)
    chosen = PolledFile("/etc/machine-info", in: files, limit: 1 << 16)
    zone = PolledFile("/etc/timezone", in: files)
  }

  /// The language of messages, by the environment the process began with.
  func locale() -> (outcome: Outcome, raw: RawValue?) {
    do {
      let entries = try variables.read().split(separator: 0)
      for name in ["LC_ALL", "LC_MESSAGES", "LANG"] {
        let start = Array("\(name)=".utf8)
        guard let entry = entries.last(where: { $0.starts(with: start) }) else { continue }
        let text = entry.dropFirst(start.count).trimmed
        if text.isEmpty { continue }
        return (.ok(.string(text.lenientText)), RawValue(text, place: variables.path))
      }
      return (.noData("no locale is set"), nil)
    } catch {
      return (.from(error), nil)
    }
  }

  /// The zone `/etc/localtime` links to, else the name in `/etc/timezone`.
  func timezone() -> (outcome: Outcome, raw: RawValue?) {
    let path = "/etc/localtime"
    do {
      let link = try files.linkTarget(of: path)
      if let end = link.endOfFirst("zoneinfo/"), end < link.endIndex {
        return (.ok(.string(String(link[end...]))), RawValue(link.utf8, place: path))
      }
      return (.noData("\(path) links to no zone"), RawValue(link.utf8, place: path))
    } catch {
      let isCopy = error.code == SystemText.invalid
      guard isCopy || error.code == SystemText.noEntry else { return (.from(error), nil) }
      let named = Outcome(reading: zone, .text)
      if named.status == .unsupported && isCopy { return (.noData("\(path) is no link"), nil) }
      return (named, zone.lastRaw)
    }
  }

  /// The name people gave the machine.
  func prettyHostname() -> (outcome: Outcome, raw: RawValue?) {
    do {
      let text = try chosen.read()
      guard let raw = Assignments.rawValue(of: "PRETTY_HOSTNAME", in: text) else {
        return (.noData("no pretty name is set"), nil)
      }
      let name = Assignments.unquoted(raw)
      let outcome = name.isEmpty ? Outcome.noData("empty text") : .ok(.string(name.lenientText))
      return (outcome, RawValue(raw, place: chosen.path))
    } catch {
      return (.from(error), nil)
    }
  }
}
