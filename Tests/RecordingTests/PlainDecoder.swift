/// The encodings of numbers as the format's page says them, bit by bit: what the library writes is
/// read by something that shares no code with it.
struct PlainDecoder {
  let bytes: [UInt8]
  var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func byte() -> UInt8 {
    defer { position += 1 }
    return bytes[position]
  }

  mutating func varint() -> UInt64 {
    var sum: UInt64 = 0
    var shift: UInt64 = 0
    while true {
      let next = byte()
      sum |= UInt64(next % 128) << shift
      if next < 128 { return sum }
      shift += 7
    }
  }

  mutating func signed() -> Int64 {
    let number = varint()
    return number % 2 == 0 ? Int64(number / 2) : -Int64(number / 2) - 1
  }

  mutating func double() -> Double {
    var bits: UInt64 = 0
    for place in 0..<8 { bits |= UInt64(byte()) << UInt64(8 * place) }
    return Double(bitPattern: bits)
  }

  mutating func packed(_ count: Int) -> [Int64] {
    guard count > 0 else { return [] }
    var numbers = [signed()]
    while numbers.count < count {
      let head = byte()
      let base = signed()
      let width = Int(head % 128)
      let size = min(128, count - numbers.count)
      let start = position * 8
      for index in 0..<size {
        var height: UInt64 = 0
        for bit in 0..<width {
          let place = start + index * width + bit
          if bytes[place / 8] >> UInt8(place % 8) & 1 == 1 { height |= 1 << UInt64(bit) }
        }
        let number = Int64(bitPattern: height) &+ base
        numbers.append(head >= 128 ? numbers[numbers.count - 1] &+ number : number)
      }
      position += (size * width + 7) / 8
    }
    return numbers
  }

  mutating func integers(_ count: Int) -> [Int64] {
    if byte() == 1 { return packed(count) }
    let (first, stride) = (signed(), signed())
    return (0..<count).map { first &+ stride &* Int64($0) }
  }

  mutating func component(_ count: Int) -> [Double] {
    let way = byte()
    if way < 2 {
      let step = double()
      return packed(count).map { way == 0 ? Double($0) * step : Double($0) / step }
    }
    var last: UInt64 = 0
    return (0..<count).map { _ in
      let head = byte()
      let (leading, trailing) = (Int(head / 16), Int(head % 16))
      for place in trailing..<8 - leading { last ^= UInt64(byte()) << UInt64(8 * place) }
      return Double(bitPattern: last)
    }
  }

  mutating func numbers(_ rows: Int, width: Int) -> [Double] {
    let components = (0..<width).map { _ in component(rows) }
    return (0..<rows).flatMap { row in components.map { $0[row] } }
  }
}
