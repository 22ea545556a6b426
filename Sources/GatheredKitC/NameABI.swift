import CGatheredKit

/// The constants of one enumeration, in the order of their numbers.
private struct ConstantNames {
  let first: Int
  let names: [StaticString]
  let unknown: StaticString

  init(from first: Int = 0, _ names: [StaticString], unknown: StaticString) {
    self.first = first
    self.names = names
    self.unknown = unknown
  }

  /// The constant of a number.
  subscript(number: some FixedWidthInteger) -> UnsafePointer<CChar>? {
    let place = Int(number) - first
    return text(names.indices.contains(place) ? names[place] : unknown)
  }

  /// The constant of one bit, where the names are those of the bits from the lowest.
  subscript(flag flag: UInt32) -> UnsafePointer<CChar>? {
    text(
      flag.nonzeroBitCount == 1 && flag.trailingZeroBitCount < names.count
        ? names[flag.trailingZeroBitCount] : unknown)
  }

  private func text(_ name: StaticString) -> UnsafePointer<CChar>? {
    UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self)
  }
}

private let valueTypes = ConstantNames(
  [
    "GKIT_TYPE_NONE", "GKIT_TYPE_BOOL", "GKIT_TYPE_INT", "GKIT_TYPE_DOUBLE", "GKIT_TYPE_VECTOR",
    "GKIT_TYPE_STRING", "GKIT_TYPE_BYTES", "GKIT_TYPE_TIME", "GKIT_TYPE_DICT", "GKIT_TYPE_LIST",
  ], unknown: "(a value type without a name)")

/// The name of a type.
@_cdecl("gkit_value_type_name") @implementation public func gkit_value_type_name(
  _ type: UInt32
) -> UnsafePointer<CChar>? {
  valueTypes[type]
}

private let modes = ConstantNames(
  ["GKIT_MODE_THREAD", "GKIT_MODE_HOST"], unknown: "(a mode without a name)")

/// The name of a mode.
@_cdecl("gkit_mode_name") @implementation public func gkit_mode_name(
  _ mode: UInt32
) -> UnsafePointer<CChar>? {
  modes[mode]
}

private let sampleStatuses = ConstantNames(
  [
    "GKIT_SAMPLE_OK", "GKIT_SAMPLE_NO_DATA", "GKIT_SAMPLE_STALE", "GKIT_SAMPLE_PERMISSION",
    "GKIT_SAMPLE_UNSUPPORTED", "GKIT_SAMPLE_FAILED",
  ], unknown: "(a status of samples without a name)")

/// The name of a status of a sample.
@_cdecl("gkit_sample_status_name") @implementation public func gkit_sample_status_name(
  _ status: UInt32
) -> UnsafePointer<CChar>? {
  sampleStatuses[status]
}

private let sampleFlags = ConstantNames(
  [
    "GKIT_FLAG_IS_NEW", "GKIT_FLAG_GAP_BEFORE", "GKIT_FLAG_REPLAYED", "GKIT_FLAG_LOW_ACCURACY",
  ], unknown: "(a flag of samples without a name)")

/// The name of a flag of samples.
@_cdecl("gkit_sample_flag_name") @implementation public func gkit_sample_flag_name(
  _ flag: UInt32
) -> UnsafePointer<CChar>? {
  sampleFlags[flag: flag]
}

private let availabilities = ConstantNames(
  [
    "GKIT_AVAILABILITY_AVAILABLE", "GKIT_AVAILABILITY_REQUIRES_PERMISSION",
    "GKIT_AVAILABILITY_PERMISSION_DENIED", "GKIT_AVAILABILITY_RESTRICTED",
    "GKIT_AVAILABILITY_UNAVAILABLE",
  ], unknown: "(an availability without a name)")

/// The name of an availability.
@_cdecl("gkit_availability_name") @implementation public func gkit_availability_name(
  _ availability: Int32
) -> UnsafePointer<CChar>? {
  availabilities[availability]
}

private let reasons = ConstantNames(
  [
    "GKIT_REASON_AVAILABLE", "GKIT_REASON_SEARCHING", "GKIT_REASON_REQUIRES_PERMISSION",
    "GKIT_REASON_PERMISSION_DENIED", "GKIT_REASON_RESTRICTED_BY_POLICY", "GKIT_REASON_POWERED_OFF",
    "GKIT_REASON_SERVICE_NOT_RUNNING", "GKIT_REASON_UNSUPPORTED_BY_KERNEL",
    "GKIT_REASON_NO_HARDWARE", "GKIT_REASON_BUSY", "GKIT_REASON_DISCONNECTED", "GKIT_REASON_FAILED",
  ], unknown: "(a reason without a name)")

/// The name of a reason.
@_cdecl("gkit_reason_name") @implementation public func gkit_reason_name(
  _ reason: UInt32
) -> UnsafePointer<CChar>? {
  reasons[reason]
}

private let sourceStates = ConstantNames(
  [
    "GKIT_STATE_IDLE", "GKIT_STATE_WAITING", "GKIT_STATE_UPDATING",
  ], unknown: "(a state without a name)")

/// The name of a state of a session.
@_cdecl("gkit_source_state_name") @implementation public func gkit_source_state_name(
  _ state: UInt32
) -> UnsafePointer<CChar>? {
  sourceStates[state]
}

private let eventTypes = ConstantNames(
  [
    "GKIT_EVENT_ADDED", "GKIT_EVENT_REMOVED", "GKIT_EVENT_STARTED", "GKIT_EVENT_STOPPED",
    "GKIT_EVENT_FAILED", "GKIT_EVENT_AVAILABILITY_CHANGED", "GKIT_EVENT_PERMISSION_REQUESTED",
    "GKIT_EVENT_LOST",
  ], unknown: "(an event without a name)")

/// The name of an event.
@_cdecl("gkit_event_type_name") @implementation public func gkit_event_type_name(
  _ event: Int32
) -> UnsafePointer<CChar>? {
  eventTypes[event]
}

private let reportingModes = ConstantNames(
  [
    "GKIT_REPORTING_CONTINUOUS", "GKIT_REPORTING_ON_CHANGE", "GKIT_REPORTING_ONE_SHOT",
    "GKIT_REPORTING_STATIC",
  ], unknown: "(a reporting mode without a name)")

/// The name of a reporting mode.
@_cdecl("gkit_reporting_name") @implementation public func gkit_reporting_name(
  _ reporting_mode: Int32
) -> UnsafePointer<CChar>? {
  reportingModes[reporting_mode]
}

private let propertyFlags = ConstantNames(
  [
    "GKIT_PROPERTY_WRITABLE", "GKIT_PROPERTY_CONFIG", "GKIT_PROPERTY_PERSONAL",
    "GKIT_PROPERTY_COUNTER", "GKIT_PROPERTY_DERIVED",
  ], unknown: "(a flag of properties without a name)")

/// The name of a flag of properties.
@_cdecl("gkit_property_flag_name") @implementation public func gkit_property_flag_name(
  _ flag: UInt32
) -> UnsafePointer<CChar>? {
  propertyFlags[flag: flag]
}

private let styles = ConstantNames(
  ["GKIT_STYLE_PEOPLE", "GKIT_STYLE_MACHINE"], unknown: "(a style without a name)")

/// The name of a style of texts.
@_cdecl("gkit_style_name") @implementation public func gkit_style_name(
  _ style: UInt32
) -> UnsafePointer<CChar>? {
  styles[style]
}

private let overflows = ConstantNames(
  [
    "GKIT_OVERFLOW_DROP_OLDEST", "GKIT_OVERFLOW_DROP_NEWEST", "GKIT_OVERFLOW_BLOCK",
  ], unknown: "(an overflow without a name)")

/// The name of an overflow of a reader.
@_cdecl("gkit_overflow_name") @implementation public func gkit_overflow_name(
  _ overflow: UInt32
) -> UnsafePointer<CChar>? {
  overflows[overflow]
}

private let logLevels = ConstantNames(
  [
    "GKIT_LOG_TRACE", "GKIT_LOG_DEBUG", "GKIT_LOG_INFO", "GKIT_LOG_NOTICE", "GKIT_LOG_WARNING",
    "GKIT_LOG_ERROR",
  ], unknown: "(a severity without a name)")

/// The name of a severity of a log line.
@_cdecl("gkit_log_level_name") @implementation public func gkit_log_level_name(
  _ level: Int32
) -> UnsafePointer<CChar>? {
  logLevels[level]
}

private let operations = ConstantNames(
  from: 1,
  [
    "GKIT_OPERATION_GET", "GKIT_OPERATION_GET_ALL", "GKIT_OPERATION_PUT", "GKIT_OPERATION_PUT_ALL",
    "GKIT_OPERATION_DELETE", "GKIT_OPERATION_DELETE_ALL",
  ], unknown: "(an operation without a name)")

/// The name of an operation.
@_cdecl("gkit_operation_name") @implementation public func gkit_operation_name(
  _ operation: Int32
) -> UnsafePointer<CChar>? {
  operations[operation]
}

private let futureFlags = ConstantNames(
  ["GKIT_FUTURE_ONLY"], unknown: "(a flag of subscriptions without a name)")

/// The name of a flag of subscriptions.
@_cdecl("gkit_future_flag_name") @implementation public func gkit_future_flag_name(
  _ flag: UInt32
) -> UnsafePointer<CChar>? {
  futureFlags[flag: flag]
}
