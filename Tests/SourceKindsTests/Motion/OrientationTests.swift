import Glibc
import Testing

@testable import SourceKinds

@Suite struct OrientationTests {
  /// An acceleration of a device turned in the screen's plane, the desktop's sign: 0° is normal,
  /// 90° left up; `tilt` is how far it is from flat.
  private func word(_ turn: Double, tilt: Double = 90, after: inout Orientation) -> String {
    let turn = turn * .pi / 180
    let tilt = tilt * .pi / 180
    return after.update(
      9.81 * sin(turn) * sin(tilt), -9.81 * cos(turn) * sin(tilt), -9.81 * cos(tilt))
  }

  @Test func `before the first word it is undefined, also when it lies flat`() {
    var orientation = Orientation()
    #expect(orientation.update(0, 0, -9.81) == "undefined")
    #expect(orientation.update(0, 0, 0) == "undefined")
    #expect(orientation.update(1, -1, 9.81) == "undefined")
  }

  @Test func `y down is normal, y up bottom-up, x up left-up, x down right-up`() {
    var orientation = Orientation()
    #expect(orientation.update(0, -9.81, 0) == "normal")
    #expect(orientation.update(0, 9.81, 0) == "bottom-up")
    #expect(orientation.update(9.81, 0, 0) == "left-up")
    #expect(orientation.update(-9.81, 0, 0) == "right-up")
  }

  @Test func `a word is entered within 35° of its axis and kept until another is`() {
    var orientation = Orientation()
    #expect(word(36, after: &orientation) == "undefined")
    #expect(word(34, after: &orientation) == "normal")
    #expect(word(50, after: &orientation) == "normal")
    #expect(word(54, after: &orientation) == "normal")
    #expect(word(56, after: &orientation) == "left-up")
    #expect(word(36, after: &orientation) == "left-up")
    #expect(word(34, after: &orientation) == "normal")
    #expect(word(-54, after: &orientation) == "normal")
    #expect(word(-56, after: &orientation) == "right-up")
    #expect(word(180, after: &orientation) == "bottom-up")
  }

  @Test func `within 30° of flat the word stays`() {
    var orientation = Orientation()
    #expect(word(0, after: &orientation) == "normal")
    #expect(word(90, tilt: 29, after: &orientation) == "normal")
    #expect(word(90, tilt: 151, after: &orientation) == "normal")
    #expect(word(90, tilt: 31, after: &orientation) == "left-up")
    #expect(word(0, tilt: 149, after: &orientation) == "normal")
  }

  @Test func `what is no acceleration changes nothing`() {
    var orientation = Orientation()
    _ = orientation.update(0, -9.81, 0)
    #expect(orientation.update(.nan, 1, 1) == "normal")
    #expect(orientation.update(.infinity, 1, 1) == "normal")
  }
}
