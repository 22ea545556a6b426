import Gathering

/// A kind of the catalogue: its fields declare its property table.
protocol CatalogueKind: SourceKind {
  associatedtype Field: PropertyField
  /// `Field.properties`, computed once.
  static var table: [Property] { get }
  /// What the kind is about; made when it is asked for.
  static var about: KindMeaning { get }
}

extension CatalogueKind {
  var properties: [Property] { Self.table }
  var meaning: KindMeaning { Self.about }

  func meaning(ofPropertyAt index: Int) -> Meaning {
    Field(rawValue: index)?.meaning ?? Meaning("", from: "")
  }

  /// The fields that a request asks for, in table order.
  static func fields(wantedBy request: ReadRequest) -> [Field] {
    let table = table
    return Field.allCases.filter { field in
      request.wants(table[field.rawValue].mode, table[field.rawValue].category)
    }
  }
}
