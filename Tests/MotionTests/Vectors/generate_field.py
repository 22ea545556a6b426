"""Writes field.txt for the tests of the magnetic model: python3 generate_field.py, with pygeomag.

One line a place: latitude and longitude in degrees, height in metres, year, then declination and
inclination in degrees and strength in nanotesla.
"""

from pathlib import Path

from pygeomag import GeoMag

model = GeoMag(coefficients_file="wmm/WMM_2025.COF")
latitudes = [-90, -89.9, -75, -64.1, -45, -30, -12.5, 0, 15, 33.3, 48.2, 60, 72.8, 85, 86, 89.9, 90]
places = [
    (latitude, longitude, height, year)
    for latitude in latitudes
    for longitude in (-180, -125.5, -60, 0, 16.4, 90, 151.2)
    for height, year in ((0, 2025.0), (3500, 2027.4), (400000, 2030.0))
]
lines = []
for latitude, longitude, height, year in places:
    field = model.calculate(glat=latitude, glon=longitude, alt=height / 1000, time=year)
    lines.append(
        f"{latitude} {longitude} {height} {year} {field.d:.6f} {field.i:.6f} {field.f:.4f}"
    )
Path(__file__).with_name("field.txt").write_text("\n".join(lines) + "\n")
