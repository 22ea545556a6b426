import Glibc
public import Ground

/// A missing library of the system, and the package that has it.
public struct MissingLibrary: Error, Equatable, Sendable {
  /// The file looked for, as `libudev.so.1`.
  public let library: String
  /// One clause saying why, from the dynamic linker.
  public let reason: String
  /// The Debian package that brings it.
  public let package: String

  /// A library missing for a reason.
  public init(library: String, reason: String, package: String) {
    self.library = library
    self.reason = reason
    self.package = package
  }

  /// The same as a number: ELIBACC at the library.
  public var systemError: SystemError { SystemError(ELIBACC, at: library) }
}

/// A library of the system, opened when first wanted (sources M1).
///
/// It stays loaded for the rest of the process: threads and handlers of its own may outlive us.
public struct SharedLibrary: Sendable {
  /// The file it was opened by.
  public let name: String
  private let package: String
  // An address is not Sendable; as a number it may travel, and dlsym is safe from any thread.
  private let address: UInt

  /// Opens a library, `package` being the Debian package that has it.
  public init(_ name: String, package: String) throws(MissingLibrary) {
    guard let opened = dlopen(name, RTLD_NOW | RTLD_LOCAL) else {
      throw MissingLibrary(library: name, reason: Self.lastError(), package: package)
    }
    self.name = name
    self.package = package
    self.address = UInt(bitPattern: opened)
  }

  /// The handle of dlopen(3), for a table that is bound in C.
  public var handle: UnsafeMutableRawPointer? { UnsafeMutableRawPointer(bitPattern: address) }

  /// A function of the library as a C function type, `@convention(c)`.
  public func function<Function>(
    _ symbol: String, as type: Function.Type
  ) throws(MissingLibrary) -> Function {
    guard let found = dlsym(handle, symbol) else { throw missing(symbol) }
    // The type is the caller's promise, as in C; both sides are one code address.
    return unsafeBitCast(found, to: type)
  }

  /// The error of a library too old to have a function.
  public func missing(_ symbol: String) -> MissingLibrary {
    MissingLibrary(library: name, reason: "\(name) has no function \(symbol)", package: package)
  }

  private static func lastError() -> String {
    dlerror().map { String(cString: $0) } ?? "the dynamic linker gave no reason"
  }
}
