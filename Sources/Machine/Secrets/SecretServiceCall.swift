import CLinux
import Glibc

/// One call through libsecret. It owns the GLib objects it makes, and can be cancelled.
///
/// Safe to be shared: the cancellable may be used on any thread, everything else only by the thread
/// that runs the call.
final class SecretServiceCall: @unchecked Sendable {
  private let secrets: clinux_secrets
  private let cancellable: OpaquePointer?

  init(_ secrets: clinux_secrets) {
    self.secrets = secrets
    cancellable = secrets.cancellable_new()
  }

  deinit {
    if let cancellable { secrets.object_unref(UnsafeMutableRawPointer(cancellable)) }
  }

  /// Makes the call end soon, on any thread.
  func cancel() {
    if let cancellable { secrets.cancellable_cancel(cancellable) }
  }

  /// The service, which is there and has agreed on how secrets travel.
  func check() throws(SecretFailure) {
    try withService { _ throws(SecretFailure) in }
  }

  func read(_ key: String, _ service: String) throws(SecretFailure) -> [UInt8]? {
    let flags = CLINUX_SECRET_ALL | CLINUX_SECRET_UNLOCK | CLINUX_SECRET_LOAD
    var found: [UInt8]?
    try forEachItem(key, service, flags) { item throws(SecretFailure) in
      guard found == nil else { return }
      guard let value = secrets.item_secret(item) else { throw .failed("no secret", errno: EIO) }
      defer { secrets.value_unref(value) }
      var length = 0
      let address = secrets.value_get(value, &length)
      found = Array(UnsafeRawBufferPointer(start: address, count: length))
    }
    return found
  }

  func write(_ secret: [UInt8], _ key: String, _ service: String) throws(SecretFailure) {
    try withService { proxy throws(SecretFailure) in
      try withAttributes(key, service) { attributes throws(SecretFailure) in
        let value = secret.withUnsafeBytes { bytes in
          secrets.value_new(
            bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count,
            "application/octet-stream")
        }
        guard let value else { throw .failed("out of memory", errno: ENOMEM) }
        defer { secrets.value_unref(value) }
        var error: UnsafeMutablePointer<clinux_g_error>?
        let isDone = secrets.service_store(
          proxy, clinux_secrets_schema(), attributes, nil, service, value, cancellable, &error)
        if error != nil { throw failure(error) }
        // The user was asked to unlock it, and did not.
        if isDone == 0 { throw .locked }
      }
    }
  }

  func remove(_ key: String, _ service: String) throws(SecretFailure) {
    let flags = CLINUX_SECRET_ALL | CLINUX_SECRET_UNLOCK
    try forEachItem(key, service, flags) { item throws(SecretFailure) in
      var error: UnsafeMutablePointer<clinux_g_error>?
      let isDone = secrets.item_delete(item, cancellable, &error)
      if error != nil { throw failure(error) }
      if isDone == 0 { throw .locked }
    }
  }

  // MARK: Machinery

  private func withService(
    _ body: (OpaquePointer) throws(SecretFailure) -> Void
  ) throws(SecretFailure) {
    var error: UnsafeMutablePointer<clinux_g_error>?
    guard let proxy = secrets.service_get(CLINUX_SECRET_SESSION, cancellable, &error) else {
      // A cached service that has gone would be used again and again.
      secrets.service_disconnect()
      throw .missing(reason: text(error), package: nil)
    }
    defer { secrets.object_unref(UnsafeMutableRawPointer(proxy)) }
    // GLib would end the process together with the bus.
    if let connection = secrets.proxy_connection(proxy) {
      secrets.set_exit_on_close(connection, 0)
    }
    try body(proxy)
  }

  private func withAttributes(
    _ key: String, _ service: String, _ body: (OpaquePointer) throws(SecretFailure) -> Void
  ) throws(SecretFailure) {
    guard let attributes = secrets.hash_new(secrets.str_hash, secrets.str_equal) else {
      throw .failed("out of memory", errno: ENOMEM)
    }
    // The table borrows its texts, which outlive it.
    let words: [String] = ["service", service, "key", key]
    let texts = words.map { strdup($0) }
    defer {
      secrets.hash_unref(attributes)
      for text in texts { free(text) }
    }
    for index in [0, 2] { _ = secrets.hash_insert(attributes, texts[index], texts[index + 1]) }
    try body(attributes)
  }

  /// Looks for the items of a key, which are unlocked if they can be.
  private func forEachItem(
    _ key: String, _ service: String, _ flags: Int32,
    _ body: (OpaquePointer) throws(SecretFailure) -> Void
  ) throws(SecretFailure) {
    try withService { proxy throws(SecretFailure) in
      try withAttributes(key, service) { attributes throws(SecretFailure) in
        var error: UnsafeMutablePointer<clinux_g_error>?
        let list = secrets.service_search(
          proxy, clinux_secrets_schema(), attributes, flags, cancellable, &error)
        if error != nil { throw failure(error) }
        let items = Self.items(of: list)
        defer {
          for item in items { secrets.object_unref(UnsafeMutableRawPointer(item)) }
          secrets.list_free(list)
        }
        for item in items {
          if secrets.item_locked(item) != 0 { throw .locked }
          try body(item)
        }
      }
    }
  }

  private static func items(of list: UnsafeMutablePointer<clinux_g_list>?) -> [OpaquePointer] {
    var items: [OpaquePointer] = []
    var next = list
    while let element = next {
      if let item = element.pointee.data { items.append(OpaquePointer(item)) }
      next = element.pointee.next
    }
    return items
  }

  private func failure(_ error: UnsafeMutablePointer<clinux_g_error>?) -> SecretFailure {
    guard let error else { return .failed("", errno: EIO) }
    let domain = secrets.quark_to_string(error.pointee.domain).map { String(cString: $0) }
    let isLocked = domain == "secret-error" && error.pointee.code == 2
    let message = text(error)
    return isLocked ? .locked : .failed(message, errno: EIO)
  }

  /// The sentence of an error, which is released.
  private func text(_ error: UnsafeMutablePointer<clinux_g_error>?) -> String {
    guard let error else { return "the secret service gave no reason" }
    defer { secrets.error_free(error) }
    return error.pointee.message.map { String(cString: $0) } ?? ""
  }
}
