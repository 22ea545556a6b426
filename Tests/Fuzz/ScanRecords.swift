@testable import Machine

/// Scan types and records: whatever a driver says of its records, and whatever these hold.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let parts = Input(data, count).parts(4)
  var elements: [ScanElement] = []
  for (index, name) in ["x", "y", "timestamp"].enumerated() {
    guard let format = try? ScanFormat(parts[index]) else { continue }
    require(format.bits <= format.storage, "a value fits its word")
    elements.append(ScanElement(name: name, index: index, format: format))
  }
  let layout = ScanLayout(elements)
  require(
    zip(layout.offsets, layout.elements).allSatisfy {
      $0 + $1.format.size <= layout.recordSize
    }, "elements lie inside the record")
  let channels = elements.filter { $0.name != ScanElement.stampName }
  let numbers = channels.reduce(0) { $0 + $1.format.repeats }
  let group = ScanGroup(
    channels: channels.map(\.name), matrix: [Double](repeating: 1, count: numbers), offset: [0])
  guard let decoder = try? ScanDecoder([group], from: layout, at: "") else { return 0 }
  parts[3].withUnsafeBytes { records in
    let columns = decoder.columns(of: records)
    let rows = layout.recordSize > 0 ? records.count / layout.recordSize : 0
    require(columns[0].count == rows, "one row a whole record")
    require(columns[0].allSatisfy(\.isFinite), "raw numbers are finite")
    if let stamps = decoder.stamps(of: records) {
      var order = ScanOrder()
      let kept = order.runs(of: stamps).flatMap { $0.rows.map { stamps[$0] } }
      require(zip(kept, kept.dropFirst()).allSatisfy(<=), "times never fall")
    }
  }
  return 0
}
