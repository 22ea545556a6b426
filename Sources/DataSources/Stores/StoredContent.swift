/// One value as bytes, with the type it was stored as.
@usableFromInline package struct StoredItem: Sendable, Equatable {
  @usableFromInline package var type: StoredType
  @usableFromInline package var bytes: [UInt8]

  @inlinable
  package init(type: StoredType, bytes: [UInt8]) {
    self.type = type
    self.bytes = bytes
  }
}

/// What stands under one key, as bytes: an object or a list.
@usableFromInline package struct StoredContent: Sendable, Equatable {
  /// The type of all items; `any` for a list of a store without a type whose items differ.
  @usableFromInline package var type: StoredType
  @usableFromInline package var isList: Bool
  /// The items; exactly one of an object.
  @usableFromInline package var items: [StoredItem]

  @inlinable
  package init(type: StoredType, isList: Bool, items: [StoredItem]) {
    self.type = type
    self.isList = isList
    self.items = items
  }

  /// An object.
  @inlinable
  package init(_ item: StoredItem) {
    self.init(type: item.type, isList: false, items: [item])
  }

  /// The items one behind the other, each with its type.
  package var bytes: [UInt8] {
    var writer = StoredBytesWriter()
    writer.put(items.count)
    for item in items {
      writer.put(Array(item.type.name.utf8))
      writer.put(item.bytes)
    }
    return writer.bytes
  }

  /// What `bytes` once was.
  package init(type: StoredType, isList: Bool, bytes: [UInt8]) throws(DataSourceError) {
    var reader = StoredBytesReader(bytes)
    var items: [StoredItem] = []
    for _ in 0..<(try reader.count()) {
      let type = StoredType(try reader.text())
      items.append(StoredItem(type: type, bytes: try reader.block()))
    }
    try reader.finish()
    if !isList && items.count != 1 { throw .damaged }
    self.init(type: type, isList: isList, items: items)
  }
}

extension StoredType {
  /// What a root without a type is of, and a list whose items differ (L22).
  @usableFromInline package static let any: StoredType = "any"
}
