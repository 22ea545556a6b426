import Gathering

extension BuiltInDevice {
  /// What a laptop has, or what a phone has in its place.
  func part<Part>(laptop: @autoclosure () -> Part, phone: @autoclosure () -> Part) -> Part {
    switch self {
    case .laptop: laptop()
    case .phone: phone()
    }
  }
}
