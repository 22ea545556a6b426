import Glibc

/// The earth's magnetic field by the World Magnetic Model.
public enum MagneticModel {
  /// The field at a point: what a compass there has to be corrected by, and how strong it is.
  public struct Field: Equatable, Sendable {
    /// Towards geographic north, in µT.
    public var north: Double
    /// Towards east, in µT.
    public var east: Double
    /// Towards the centre of the earth, in µT.
    public var down: Double

    /// From true to magnetic north in degrees, east positive.
    public var declination: Double { atan2(east, north) * 180 / .pi }
    /// How far the field points below the horizon, in degrees.
    public var inclination: Double { atan2(down, horizontal) * 180 / .pi }
    /// The part along the ground, in µT.
    public var horizontal: Double { hypot(north, east) }
    /// The strength in µT.
    public var magnitude: Double { hypot(horizontal, down) }
  }

  /// The field at a geodetic latitude and longitude in degrees (WGS 84), a height above the
  /// ellipsoid in metres and a decimal year.
  ///
  /// Nil outside the years the model is valid for, for latitudes beyond the poles, heights outside
  /// −10 to 850 km, and for what is not finite. At a pole north is along the meridian given.
  public static func field(
    latitude: Double, longitude: Double, height: Double, year: Double
  ) -> Field? {
    guard year >= MagneticCoefficients.epoch, year <= MagneticCoefficients.end,
      abs(latitude) <= 90, longitude.isFinite, height >= -10_000, height <= 850_000
    else { return nil }
    let point = GeocentricPoint(latitude: latitude, height: height / 1000)
    let sphere = sum(
      at: point, longitude: longitude.remainder(dividingBy: 360) * .pi / 180,
      years: year - MagneticCoefficients.epoch)
    // From the sphere's vertical to the ellipsoid's.
    let (c, s) = (cos(point.tilt), sin(point.tilt))
    return Field(
      north: (sphere.north * c - sphere.down * s) / 1000, east: sphere.east / 1000,
      down: (sphere.north * s + sphere.down * c) / 1000)
  }

  /// A point by its distance and direction from the centre of the earth.
  private struct GeocentricPoint {
    /// Sine and cosine of the geocentric latitude.
    let sine, cosine: Double
    /// The mean radius of the earth over the distance to its centre.
    let ratio: Double
    /// Geocentric minus geodetic latitude, in radians.
    let tilt: Double

    init(latitude: Double, height: Double) {
      let equator = 6378.137
      let flattening = 1 / 298.257223563
      let squareEccentricity = flattening * (2 - flattening)
      let angle = latitude * .pi / 180
      let curvature = equator / (1 - squareEccentricity * sin(angle) * sin(angle)).squareRoot()
      let across = (curvature + height) * cos(angle)
      let along = (curvature * (1 - squareEccentricity) + height) * sin(angle)
      let distance = hypot(across, along)
      sine = along / distance
      // Never zero: at a pole the terms divided by it vanish as fast.
      cosine = max(across / distance, 1e-7)
      ratio = 6371.2 / distance
      tilt = atan2(along, across) - angle
    }
  }

  /// The sum of the harmonics. The Schmidt semi-normalised Legendre functions of each order are
  /// stepped from degree to degree.
  private static func sum(at point: GeocentricPoint, longitude: Double, years: Double) -> Field {
    var field = Field(north: 0, east: 0, down: 0)
    var sectoral = 1.0
    for order in 0...MagneticCoefficients.degree {
      let m = Double(order)
      if order > 0 {
        sectoral *= point.cosine * (order == 1 ? 1 : ((2 * m - 1) / (2 * m)).squareRoot())
      }
      let (c, s) = (cos(m * longitude), sin(m * longitude))
      var (legendre, before) = (sectoral, 0.0)
      for degree in order...MagneticCoefficients.degree {
        let n = Double(degree)
        if degree > order {
          let next =
            ((2 * n - 1) * point.sine * legendre
              - ((n - 1) * (n - 1) - m * m).squareRoot() * before)
            / (n * n - m * m).squareRoot()
          (before, legendre) = (legendre, next)
        }
        guard degree > 0 else { continue }
        let (g, h) = coefficients(degree, order, years)
        let scale = power(point.ratio, degree + 2)
        // The derivative by latitude, from this degree and the one before.
        let slope =
          ((n * n - m * m).squareRoot() * before - n * point.sine * legendre) / point.cosine
        field.north -= scale * (g * c + h * s) * slope
        field.east += scale * m * (g * s - h * c) * legendre / point.cosine
        field.down -= scale * (n + 1) * (g * c + h * s) * legendre
      }
    }
    return field
  }

  private static func coefficients(
    _ degree: Int, _ order: Int, _ years: Double
  ) -> (g: Double, h: Double) {
    let table = MagneticCoefficients.table
    let start = 4 * (degree * (degree + 1) / 2 - 1 + order)
    return (
      Double(table[start]) + years * Double(table[start + 2]),
      Double(table[start + 1]) + years * Double(table[start + 3])
    )
  }

  private static func power(_ base: Double, _ exponent: Int) -> Double {
    var product = 1.0
    for _ in 0..<exponent { product *= base }
    return product
  }
}
