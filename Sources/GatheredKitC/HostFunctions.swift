import CGatheredKit
import DataSources
import Gathering
import Ground
import Streams
import Values

/// The functions of a host that decorators call: on the loop, and not after its end.
struct HostFunctions: Sendable {
  let loop: HostLoop
  let userData: UserData

  init(_ owner: ContextObject, _ userData: UserData) {
    loop = owner.loop
    self.userData = userData
    owner.add(userData)
  }

  /// What a function makes of a value; a negative status is thrown (data sources L38).
  func map(_ fn: @escaping gkit_map_fn) -> @Sendable (Value) throws -> Value {
    { input in
      try call { () throws -> Value in
        let arena = Arena()
        var (source, target) = (arena.value(input), gkit_value())
        if !arena.isWhole { throw DataSourceError.noMemory }
        let status = fn(&source, &target, userData.pointer)
        withExtendedLifetime(arena) {}
        guard status < 0 else { return try made(&target) }
        let error = DataSourceError(status: status)
        if error.foreign == 0 { throw error }
        throw DataSourceError(.serialization, "the value cannot be mapped", causes: [error])
      }
    }
  }

  /// Whether a function agrees with a value (data sources L40).
  func check(_ fn: @escaping gkit_map_fn) -> @Sendable (Value) throws -> Bool {
    { input in
      try call { () throws -> Bool in
        let arena = Arena()
        var source = arena.value(input)
        if !arena.isWhole { throw DataSourceError.noMemory }
        let status = fn(&source, nil, userData.pointer)
        withExtendedLifetime(arena) {}
        if status < 0 { throw DataSourceError(status: status) }
        return true
      }
    }
  }

  /// Whether a function wants a failed call to be tried again (data sources L42).
  func retry(_ fn: @escaping gkit_retry_fn) -> RetryCondition {
    { error, attempt in
      let isAgain = try? call {
        error.lend { fn($0, UInt32(clamping: attempt), userData.pointer) }
      }
      return isAgain ?? false
    }
  }

  /// Whether a function is content with a stale value (data sources L49).
  func fallback(_ fn: @escaping gkit_fallback_fn) -> Fallback {
    .when { main, cache in
      let agrees = try? call {
        main.lend { main in cache.lend { fn(main, $0, userData.pointer) } }
      }
      return agrees ?? false
    }
  }

  private func made(_ target: inout gkit_value) throws -> Value {
    do {
      let made = try value(&target, "what the function made")
      try made.checkExtent()
      return made
    } catch let failure as Failure where failure.isTooMuch {
      throw DataSourceError(status: failure.status, failure.message)
    } catch {
      throw DataSourceError(.serialization, (error as? Failure)?.message ?? "no value")
    }
  }

  private func call<Answer>(_ body: () throws -> Answer) throws -> Answer {
    var outcome: Result<Answer, any Error> = .failure(DataSourceError(.cancelled))
    loop.call { userData.use { outcome = Result { try body() } } }
    return try outcome.get()
  }
}

/// A data source of the host's own (data sources 4).
struct CustomSource: Sendable {
  let fn: gkit_perform_fn
  let owner: WeakOwner
  let userData: UserData

  /// Its calls, all of them on the loop.
  func access(on loop: HostLoop) -> DataAccess<Value> {
    DataAccess<Value> { call, reply in perform(call, reply, on: loop) }
      .calling(on: loop, until: { loop.isEnding })
  }

  private func perform(
    _ call: Call<Value>, _ reply: @escaping DataAccess<Value>.Reply, on loop: HostLoop
  ) {
    guard let owner = owner.object else { return reply(.failure(DataSourceError(.cancelled))) }
    let future = FutureObject(of: owner, .reply(call.verb))
    future.begin(intercept: { answer in
      reply(answer)
      return answer
    })
    if let cancellation = call.cancellation {
      let callOff = cancellation.onCancel { [weak future] in future?.cancel() }
      future.hold(Connection(onDisconnect: callOff))
    }
    let isCalled = loop.call {
      do {
        let query = try owned(DictObject(.dictionary(call.members)))
        defer { _ = Handles.release(HandleBits(query)) }
        // Given back by `hostLetGo` unless the host keeps it.
        let handle = try owned(future)
        defer { _ = Handles.release(HandleBits(handle)) }
        let arena = Arena()
        var value = arena.value(call.payload.value)
        if !arena.isWhole { throw DataSourceError.noMemory }
        let isNull = if case .none = call.payload { true } else { false }
        userData.use {
          withUnsafePointer(to: &value) { value in
            fn(call.verb.rawValue, query, isNull ? nil : value, handle, userData.pointer)
          }
        }
        withExtendedLifetime(arena) {}
      } catch {
        future.resolve(.failure(DataSourceError(error)))
      }
    }
    if !isCalled { future.resolve(.failure(DataSourceError(.cancelled))) }
  }
}

/// The context of a data source, which a closure of that must not keep.
struct WeakOwner: Sendable {
  weak let object: ContextObject?
}

extension Call<Value> {
  /// The query as the host once gave it, or one of the library's own; the value of an object query
  /// as it is now.
  fileprivate var members: ValueDictionary {
    var members: ValueDictionary =
      if let note = note as? QueryNote {
        note.members
      } else if let id = query.entry {
        ["type": .string("id"), "id": .string(id.key)]
      } else {
        ["type": .string("object")]
      }
    if case .object(let object) = query, let value = object as? Value { members["value"] = value }
    return members
  }
}
