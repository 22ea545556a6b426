public import CGatheredKit

/// The status of each row of a property.
@_cdecl("gkit_frame_status") @implementation public func gkit_frame_status(
  _ frame: OpaquePointer?, _ property: UInt32, _ out: UnsafeMutablePointer<gkit_column>?
) -> gkit_status {
  entry {
    let frame = try object(frame, as: FrameObject.self, "frame")
    guard let out else { throw Failure.null("out") }
    out.pointee = frame.statuses(of: try frame.check(property))
  }
}

/// The payloads of a property, or the times of the rows.
@_cdecl("gkit_frame_column") @implementation public func gkit_frame_column(
  _ frame: OpaquePointer?, _ property: UInt32, _ out: UnsafeMutablePointer<gkit_column>?
) -> gkit_status {
  entry {
    let frame = try object(frame, as: FrameObject.self, "frame")
    guard let out else { throw Failure.null("out") }
    switch property {
    case GKIT_COLUMN_TIME: out.pointee = frame.times(onWallClock: true)
    case GKIT_COLUMN_BOOT: out.pointee = frame.times(onWallClock: false)
    default: out.pointee = frame.payloads(of: try frame.check(property))
    }
  }
}
