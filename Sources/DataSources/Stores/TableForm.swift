/// How values turn into rows and back; what cannot be turned throws.
public struct TableForm<Value: Sendable>: Sendable {
  /// The table the rows are in.
  public let table: TableDescription
  let row: @Sendable (Value) throws -> TableRow
  let value: @Sendable (TableRow) throws -> Value

  /// Values of a kind in a table, by two conversions. Any error of theirs is `serialization`.
  public init(
    _ table: TableDescription, row: @escaping @Sendable (Value) throws -> TableRow,
    value: @escaping @Sendable (TableRow) throws -> Value
  ) {
    self.table = table
    self.row = row
    self.value = value
  }
}

extension TableForm where Value == TableRow {
  /// The rows themselves.
  public init(_ table: TableDescription) {
    self.init(table, row: { $0 }, value: { $0 })
  }
}

extension DataAccess {
  /// The calls to a table that holds values.
  package init(_ store: TableStore, _ form: TableForm<Value>) {
    let atOnce: Quick = { call, reply in
      guard call.verb == .get, let id = call.query.entry, !id.key.utf8.isEmpty,
        let row = store.readAtOnce(id)
      else { return false }
      reply(
        CallResult(catching: { () throws(DataSourceError) in
          try form.answer(.get, .entry(id), [row])
        }))
      return true
    }
    self.init(atOnce: atOnce) { call, reply in
      if atOnce(call, reply) { return }
      do throws(DataSourceError) {
        let request = try call.request(to: TableStore.abilities)
        let work = try form.work(call, request)
        store.submit(work, call.canceller) { result in
          reply(
            CallResult(catching: { () throws(DataSourceError) in
              try form.answer(call.verb, request, try result.get())
            }))
        }
      } catch {
        reply(.failure(error))
      }
    }
  }
}

extension TableForm {
  fileprivate func work(
    _ call: Call<Value>, _ request: Request
  ) throws(DataSourceError) -> TableStore.Work {
    switch (call.verb, request, call.payload) {
    case (.get, .entry(let id), _): return .read([id])
    case (.get, .object(let object), _): return .read([try id(of: object)])
    case (.getAll, .entries(let ids), _): return .read(ids)
    case (.getAll, .all(let refinement), _): return .readAll(refinement, offset: 0, limit: .max)
    case (.getAll, .page(let offset, let limit, let refinement), _):
      return .readAll(refinement, offset: offset, limit: limit)
    case (.put, .entry(let id), .object(let value)): return .write([(id, try stored(value))])
    case (.put, .object(let object), _):
      guard let value = object as? Value else { throw foreign }
      return .write([(nil, try stored(value))])
    case (.putAll, .entries(let ids), .list(let values)):
      var rows: [(EntryID?, TableRow)] = []
      for (id, value) in zip(ids, values) { rows.append((id, try stored(value))) }
      return .write(rows)
    case (.putAll, .all, .list(let values)):
      var rows: [(EntryID?, TableRow)] = []
      for value in values {
        let row = try stored(value)
        guard let id = table.id(of: row) else { throw nameless }
        rows.append((try id.checked(), row))
      }
      return .write(rows)
    case (.delete, .entry(let id), _): return .remove([id])
    case (.delete, .entries(let ids), _): return .remove(ids)
    case (.delete, .object(let object), _): return .remove([try id(of: object)])
    case (.delete, .all(let refinement), _): return .removeAll(refinement.condition)
    default: throw DataSourceError(.queryNotSupported)
    }
  }

  fileprivate func answer(
    _ verb: Verb, _ request: Request, _ rows: [TableRow?]
  ) throws(DataSourceError) -> CallPayload<Value> {
    if verb == .delete { return .none }
    var values: [Value] = []
    var missing: [EntryID] = []
    for (index, row) in rows.enumerated() {
      if let row {
        values.append(try value(of: row))
      } else if case .entries(let ids) = request, !missing.contains(ids[index]) {
        missing.append(ids[index])
      }
    }
    if !missing.isEmpty { throw DataSourceError(.notFound, missing: missing) }
    guard verb == .get || verb == .put else { return .list(values) }
    if let value = values.first { return .object(value) }
    guard case .entry(let id) = request else { throw DataSourceError(.notFound) }
    throw DataSourceError(.notFound, missing: [id])
  }

  private func stored(_ value: Value) throws(DataSourceError) -> TableRow {
    do {
      return try row(value)
    } catch {
      throw Self.failure(error)
    }
  }

  private func value(of row: TableRow) throws(DataSourceError) -> Value {
    do {
      return try value(row)
    } catch {
      throw Self.failure(error)
    }
  }

  private func id(of object: any Sendable) throws(DataSourceError) -> EntryID {
    guard let value = object as? Value else { throw foreign }
    guard let id = table.id(of: try stored(value)) else { throw nameless }
    return try id.checked()
  }

  private var foreign: DataSourceError {
    DataSourceError(.illegalArgument, "the object is no value of this store")
  }

  private var nameless: DataSourceError {
    DataSourceError(.illegalArgument, "the row has no id")
  }

  private static func failure(_ error: any Error) -> DataSourceError {
    if let error = error as? DataSourceError { return error }
    return DataSourceError(.serialization, causes: [DataSourceError(error)])
  }
}
