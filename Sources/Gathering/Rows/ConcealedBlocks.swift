import CGatheredKit
import Values

/// Blocks of which something is not to be shown.
extension Block {
  /// Withholds addresses in rows whose properties have no category of their own.
  func withhold(by identity: MachineIdentity, unless categories: [PrivacyCategory?]) {
    for index in 0..<min(count, categories.count) where categories[index] == nil {
      put(absence(at: index)?.withheld(by: identity), at: index)
      _ = put(value(at: index).withheld(by: identity), at: index)
    }
  }

  /// A copy with addresses withheld.
  func withheld(by identity: MachineIdentity, unless categories: [PrivacyCategory?]) -> Block {
    let copy = copied()
    copy.withhold(by: identity, unless: categories)
    return copy
  }

  /// A copy in which rows that show content are those of another block, with more flags.
  func concealing(
    _ indices: [Int], as concealed: Block, flags: SampleFlags = []
  ) -> Block {
    let copy = copied()
    for index in indices where status(at: index).showsContent {
      copy.set(concealed[index], at: index)
      copy.rows[index].flags |= flags.rawValue
      copy.rows[index].source = rows[index].source
    }
    return copy
  }

  /// A copy whose rows are new where those of another block are.
  func markedNew(where other: Block) -> Block {
    let copy = copied()
    let mark = SampleFlags.isNew.rawValue
    for index in 0..<min(count, other.count) {
      copy.rows[index].flags |= other.rows[index].flags & mark
    }
    return copy
  }

  /// A copy without the payloads of some rows.
  func withoutPayloads(_ indices: [Int]) -> Block {
    let copy = copied()
    for index in indices { _ = copy.put(Value.none, at: index) }
    return copy
  }
}
