import CGatheredKit

/// The texts hosts give the C interface: a status comes back, and nothing is left behind.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = Input(data, count)
  let parts = input.parts(2).map { $0.map(CChar.init(bitPattern:)) + [0] }
  readJSON(input.bytes.map(CChar.init(bitPattern:)))
  readIdentifier(parts[0])
  var converted = 0.0
  _ = gkit_unit_convert(1, parts[0], parts[1], &converted)
  writeTexts(ofKey: parts[0], unit: parts[1])
  // An opened context would start threads: only what is refused before that is of interest.
  if parts[0].first != CChar(UInt8(ascii: "l")), parts[0].first != CChar(UInt8(ascii: "s")) {
    var context: OpaquePointer?
    require(gkit_context_open(parts[0], nil, &context) < 0, "no such scheme")
    require(context == nil, "a failure gives no handle")
  }
  require(gkit_live_count("dict") == 0, "no dictionary is left behind")
  return 0
}

private func readJSON(_ text: [CChar]) {
  var value = gkit_value()
  guard gkit_value_from_json(text, text.count, &value) == 0 else { return }
  let written = gkit_value_to_json(&value)
  require(written != nil, "what JSON said, JSON can say")
  gkit_free(written)
  _ = gkit_value_format(&value, nil, nil, 0)
  gkit_value_clear(&value)
}

/// A property may have any key and any unit.
private func writeTexts(ofKey key: [CChar], unit: [CChar]) {
  key.withUnsafeBufferPointer { key in
    unit.withUnsafeBufferPointer { unit in
      var property = gkit_property_info()
      property.struct_size = MemoryLayout<gkit_property_info>.size
      (property.key, property.unit) = (key.baseAddress, unit.baseAddress)
      for number in [0, -1.5, 1e300, .nan] {
        var value = gkit_value_double(number)
        let length = gkit_property_format(&property, &value, 0, nil, 0)
        require(length > 0 || gkit_last_error().pointee.code != 0, "a number has a text")
      }
    }
  }
}

private func readIdentifier(_ text: [CChar]) {
  var parts: OpaquePointer?
  guard gkit_id_parse(text, &parts) == 0 else { return }
  var written: UnsafeMutablePointer<CChar>?
  require(gkit_id_build(parts, &written) == 0, "an id can be put together again")
  gkit_free(written)
  gkit_release(UnsafeMutableRawPointer(parts))
}
