import Testing

@testable import Serving

/// Ranges of a file, as far as it goes (RFC 9110, section 14).
struct FileAnswerTests {
  private static func status(_ range: String?) throws -> Int {
    let file = try FileAnswer(#filePath, named: "a.gkr")
    do throws(Refusal) {
      return try file.answer(range: range).status
    } catch {
      return error.status.rawValue
    }
  }

  @Test(arguments: [
    "bytes=99999999-99999999", "bytes=99999999-999999999", "bytes=99999999-", "bytes=-0",
    "bytes=99999999-9223372036854775807",
  ])
  func `a range behind the end is refused`(_ range: String) throws {
    #expect(try Self.status(range) == 416)
  }

  @Test(arguments: ["bytes=0-0", "bytes=1-9223372036854775807", "bytes=-9223372036854775807"])
  func `a range that begins in the file is given`(_ range: String) throws {
    #expect(try Self.status(range) == 206)
  }

  @Test(arguments: [nil, "bytes=2-1", "bytes=0-1,3-4", "bytes=-", "lines=0-1", "bytes=x-1"])
  func `what is no range of bytes means the whole file`(_ range: String?) throws {
    #expect(try Self.status(range) == 200)
  }
}
