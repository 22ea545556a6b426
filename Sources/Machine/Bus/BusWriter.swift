import CLinux
import Glibc

/// Writes values into a message.
struct BusWriter {
  let sd: clinux_bus
  let message: OpaquePointer
  /// The first answer that was an error, or 0.
  private(set) var state: Int32 = 0

  init(sd: clinux_bus, message: OpaquePointer) {
    self.sd = sd
    self.message = message
  }

  mutating func append(_ value: BusValue) {
    switch value {
    case .bool(let flag): basic("b", Int32(flag ? 1 : 0))
    case .byte(let number): basic("y", number)
    case .int16(let number): basic("n", number)
    case .uint16(let number): basic("q", number)
    case .int32(let number): basic("i", number)
    case .uint32(let number): basic("u", number)
    case .int64(let number): basic("x", number)
    case .uint64(let number): basic("t", number)
    case .double(let number): basic("d", number)
    case .string(let text): self.text("s", text)
    case .path(let text): self.text("o", text)
    case .signature(let text): self.text("g", text)
    // We have no open file to give away.
    case .descriptor: note(-EBADF)
    case .bytes(let bytes):
      note(sd.message_append_array(message, letter("y"), bytes, bytes.count))
    case .array(let element, let elements):
      inside("a", element) { for one in elements { $0.append(one) } }
    case .dictionary(let pair, let pairs):
      inside("a", "{\(pair)}") { writer in
        for one in pairs { writer.append(one, of: pair) }
      }
    case .structure(let members):
      let contents = members.map(\.typeSignature).joined()
      inside("r", contents) { for one in members { $0.append(one) } }
    case .variant(let inner):
      inside("v", inner.typeSignature) { $0.append(inner) }
    }
  }

  private mutating func append(_ pair: BusPair, of type: String) {
    inside("e", type) {
      $0.append(pair.key)
      $0.append(pair.value)
    }
  }

  private mutating func inside(
    _ type: Character, _ contents: String, _ write: (inout BusWriter) -> Void
  ) {
    note(sd.message_open_container(message, letter(type), contents))
    write(&self)
    note(sd.message_close_container(message))
  }

  private mutating func basic(_ type: Character, _ number: some BitwiseCopyable) {
    withUnsafeBytes(of: number) { bytes in
      note(sd.message_append_basic(message, letter(type), bytes.baseAddress))
    }
  }

  private mutating func text(_ type: Character, _ text: String) {
    text.withCString { note(sd.message_append_basic(message, letter(type), $0)) }
  }

  private mutating func note(_ answer: Int32) {
    if state >= 0, answer < 0 { state = answer }
  }

  private func letter(_ character: Character) -> CChar {
    CChar(bitPattern: character.asciiValue ?? 0)
  }
}
