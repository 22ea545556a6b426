import Glibc

/// The published parameters of the filter; angles in radians, times in seconds.
enum VQFTuning {
  static let degree = Double.pi / 180
  /// Time constants of the inclination and of the heading correction.
  static let accelerometerTime = 3.0
  static let magnetometerTime = 9.0

  // Bias estimation. Uncertainties are in hundredths of a degree a second.
  static let initialBiasSigma = 50.0
  static let biasForgettingTime = 100.0
  static let biasLimit = 2 * degree
  static let motionSigma = 10.0
  static let verticalForgettingFactor = 0.0001
  static let restSigma = 3.0

  // Rest detection.
  static let restTime = 1.5
  static let restFilterTime = 0.5
  static let restRateLimit = 2 * degree
  static let restAccelerationLimit = 0.5

  // Magnetic disturbance detection and rejection.
  static let fieldFilterTime = 0.05
  static let fieldReferenceTime = 20.0
  static let normTolerance = 0.1
  static let dipTolerance = 10 * degree
  static let newFieldTime = 20.0
  static let firstFieldTime = 5.0
  static let newFieldRate = 20 * degree
  static let undisturbedTime = 0.5
  static let longestRejection = 60.0
  static let rejectionFactor = 2.0

  /// How much of a difference one sample takes away to give a time constant.
  static func gain(_ timeConstant: Double, _ interval: Double) -> Double {
    1 - exp(-interval / timeConstant)
  }
}
