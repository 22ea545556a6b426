@testable import Machine
@testable import SourceKinds

/// Answers of nl80211 without their headers, and what an access point says over the air.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Input(data, count).bytes
  walk(bytes)
  let beacon = Beacon(capability: bytes.first.map(UInt16.init), elements: bytes)
  let security = beacon.security
  require(security.outcome.hasPayload == (security.outcome.status == .ok), "a word or a reason")
  require((beacon.name?.count ?? 0) <= bytes.count, "a name is part of the elements")
  return 0
}

private func walk(_ bytes: [UInt8]) {
  guard let nl = try? Libnl.table(), !bytes.isEmpty else { return }
  // Of exactly this size, so that one byte too far is found; aligned as libnl's own memory is.
  let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 16)
  defer { memory.deallocate() }
  memory.copyBytes(from: bytes)
  guard let start = memory.baseAddress else { return }
  let message = NetlinkAttributes(nl, at: start, length: Int32(bytes.count))
  let interface = RadioInterface(message)
  require((interface?.ssid?.count ?? 0) <= bytes.count, "a name is part of the message")
  let network = RadioNetwork(message)
  require((network?.elements.count ?? 0) <= bytes.count, "elements are part of the message")
  let station = RadioStation(message)
  require((station?.address.count ?? 0) <= bytes.count, "an address is part of the message")
}
