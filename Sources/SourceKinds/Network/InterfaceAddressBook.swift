import Gathering
import Ground
import Machine
import Values

/// The addresses of one interface, by rtnetlink or, in a captured tree, from files.
final class InterfaceAddressBook {
  /// The IPv4 addresses as they were last read.
  private(set) var four = KeptOutcome(.notRead)
  /// The IPv6 addresses as they were last read.
  private(set) var six = KeptOutcome(.notRead)

  private let interface: String
  private let reader: (any AddressReader)?
  private let table: PolledFile
  private var listed: [InterfaceAddress]?
  private var listedFor: Allowance?
  private var found: [InterfaceAddress] = []
  private var shown: [InterfaceAddress] = []
  private var sixLines: [UInt8] = []
  private var failure = KeptFailure()

  init(of interface: String, on machine: Machine) {
    self.interface = interface
    reader = machine.addresses
    table = PolledFile("/proc/net/if_inet6", in: machine.files, limit: 1 << 20)
    if reader == nil { four = KeptOutcome(.unsupported("no files tell IPv4 addresses")) }
  }

  /// Reads the addresses; texts are made only if something changed.
  func read(allow: Allowance) {
    if let reader { ask(reader, allow) } else { readTable(allow) }
  }

  /// The lines of the table or the words of the message; hidden addresses are in neither.
  var rawSix: RawValue? {
    if reader == nil { return sixLines.isEmpty ? nil : RawValue(sixLines, place: table.path) }
    return six.outcome.value.text.map { RawValue($0.utf8, place: "rtnetlink") }
  }

  private func ask(_ reader: any AddressReader, _ allow: Allowance) {
    do {
      let all = try reader.addresses()
      // The same list in the same memory is known at once to be equal.
      if listedFor == allow && listed == all { return }
      (listed, listedFor) = (all, allow)
      found.removeAll(keepingCapacity: true)
      for address in all where address.interface == interface { found.append(address) }
      show(allow)
    } catch {
      four = KeptOutcome(.from(error))
      six = four
      shown = []
      listed = nil
    }
  }

  private func show(_ allow: Allowance) {
    if !allow.permits(.mac) { found.removeAll(where: \.isBuiltFromMAC) }
    if found == shown && four.outcome.status == .ok && six.outcome.status == .ok { return }
    shown = found
    four = words(of: found.filter { !$0.isIPv6 }, named: "IPv4")
    six = words(of: found.filter(\.isIPv6), named: "IPv6")
  }

  private func words(of addresses: [InterfaceAddress], named family: String) -> KeptOutcome {
    KeptOutcome(
      addresses.isEmpty
        ? .noData("no \(family) address to show")
        : .ok(.string(addresses.map(\.text).joined(separator: " "))))
  }

  private func readTable(_ allow: Allowance) {
    do throws(SystemError) {
      if try !table.hasChanged(), listedFor == allow { return }
      listedFor = allow
      understand(allow)
    } catch {
      sixLines = []
      // Set anew after a failure that went away.
      listedFor = nil
      six = failure.outcome(of: error)
    }
  }

  private func understand(_ allow: Allowance) {
    sixLines = []
    var addresses: [InterfaceAddress] = []
    var isTorn = false
    for line in Lines(of: table.bytes) {
      guard let address = IPv6Addresses.address(in: line) else {
        isTorn = isTorn || !Words(of: line).allSatisfy(\.isEmpty)
        continue
      }
      guard address.interface == interface else { continue }
      if address.isBuiltFromMAC && !allow.permits(.mac) { continue }
      addresses.append(address)
      sixLines += line + [0x0A]
    }
    six = words(of: addresses, named: "IPv6")
    if isTorn && addresses.isEmpty {
      let reason = "\(table.path): a line is no address"
      six = KeptOutcome(.failed(reason, errno: SystemText.invalid))
    }
  }
}
