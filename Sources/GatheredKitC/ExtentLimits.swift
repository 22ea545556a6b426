import Gathering
import Ground
import Values

extension Extent {
  /// Fails with LIMIT when this is more than a value of the host may be.
  func check() throws {
    if depth > Self.depthLimit {
      throw Failure(Status.limit, "the value is nested more than \(Self.depthLimit) deep")
    }
    if size > Self.sizeLimit {
      throw Failure(Status.limit, "the value has more than \(Self.sizeLimit) parts")
    }
    if memory > Room.limit {
      throw Failure(Status.limit, "the value has more than \(Room.limit) bytes")
    }
  }

  /// Fails with LIMIT or NO_MEMORY when the text of this is too large.
  func checkText() throws {
    try check()
    // The text grows by doubling; beside it are the finished text and the copy of the host.
    try checkRoom(for: text, times: 5)
  }
}

extension Value {
  /// Fails with LIMIT when this is nested too deep, too large, or has too many parts.
  func checkExtent() throws { try Extent(of: self).check() }

  /// The text as JSON. Fails with LIMIT and NO_MEMORY, before anything is written.
  func checkedJSON() throws -> String {
    try Extent(of: self).checkText()
    return try json()
  }
}

/// Fails with LIMIT for more bytes than anything may have, and with NO_MEMORY where they cannot be
/// had so many times.
func checkRoom(for bytes: Int, times: Int = 1) throws {
  if bytes > Room.limit {
    throw Failure(Status.limit, "this takes more than \(Room.limit) bytes")
  }
  if !Room.has(bytes * times) { throw Failure.noMemory }
}
