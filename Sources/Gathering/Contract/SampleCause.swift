public import Values

/// What a sample gives to those it causes (patches L35): its times, and the reason if it has no
/// payload.
@usableFromInline
package struct SampleCause: Sendable {
  @usableFromInline var times = SIMD2<Int64>()
  @usableFromInline var clockOrigin = ClockOrigin.library
  @usableFromInline var status = ValueStatus.ok
  @usableFromInline var absence: Absence?

  /// That of nothing.
  @inlinable
  package init() {}

  /// Becomes that of a sample.
  @inlinable @inline(__always)
  package mutating func become(thatOf sample: borrowing Sample) {
    times = sample.times
    clockOrigin = sample.clockOrigin
    status = sample.status
    if !status.hasPayload || absence != nil { note(sample) }
  }

  @usableFromInline
  mutating func note(_ sample: borrowing Sample) {
    absence = status.hasPayload ? nil : sample.absence
  }
}

extension Sample {
  /// Null, without times.
  @inlinable
  package static var null: Sample { Sample(number: 0, of: 0) }

  /// A payload without times; numbers are written as they are.
  @inlinable @inline(__always)
  package static func carrying(_ payload: Value) -> Sample {
    switch payload {
    case .double(let number): Sample(number: number.bitPattern, of: TypeNumber.double)
    case .int(let number): Sample(number: UInt64(bitPattern: number), of: TypeNumber.int)
    default: Sample(payload)
    }
  }

  /// The type of its payload.
  @inlinable @inline(__always)
  package var type: ValueType { ValueType(rawValue: state[2]) ?? .none }

  /// Whether its payload is null.
  @inlinable @inline(__always)
  package var isNull: Bool { state[2] == 0 }

  /// Whether it has no time yet.
  @inlinable @inline(__always)
  package var isUnstamped: Bool { times[0] | times[1] == 0 }

  /// Takes the times of what caused it and, if neither has a payload, the reason for that.
  @inlinable @inline(__always)
  package mutating func follow(_ cause: borrowing SampleCause) {
    times = cause.times
    clockOrigin = cause.clockOrigin
    if isNull { takeReason(of: cause) }
  }

  @usableFromInline
  mutating func takeReason(of cause: borrowing SampleCause) {
    guard status == .ok, !cause.status.hasPayload else { return }
    status = cause.status
    owner = cause.absence
  }

  /// An integer, a double or the components of a vector, and how many; nil for all else.
  @inlinable @inline(__always)
  package var components: (numbers: SIMD4<Double>, count: Int)? {
    switch state[2] {
    case TypeNumber.double: (SIMD4(Double(bitPattern: low[0]), 0, 0, 0), 1)
    case TypeNumber.int: (SIMD4(Double(Int64(bitPattern: low[0])), 0, 0, 0), 1)
    case TypeNumber.vector:
      (
        SIMD4(
          Double(bitPattern: low[0]), Double(bitPattern: low[1]),
          Double(bitPattern: high[0]), Double(bitPattern: high[1])), Int(state[3])
      )
    default: nil
    }
  }
}
