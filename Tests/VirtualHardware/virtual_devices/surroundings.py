"""What GeoClue asks where it is, until it is ended:  surroundings.py SOCKET PORT

On a socket a receiver speaks NMEA 0183, once a second. Beside it, SOCKET with the ending `.ctl`
holds the fix to tell of: 0, 2 or 3. On a port of this computer a service answers where the networks
nearby are.
"""

from __future__ import annotations

import json
import os
import socket
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from virtual_devices import nmea, system

LATITUDE, LONGITUDE, ACCURACY = 48.25, 16.375, 25000.0
PATH = "/v1/geolocate"


class _Networks(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        found = {"location": {"lat": LATITUDE, "lng": LONGITUDE}, "accuracy": ACCURACY}
        text = json.dumps(found).encode()
        self.send_response(200 if self.path == PATH else 404)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)


def _speak(listener: socket.socket, control: Path) -> None:
    while True:
        connection, _ = listener.accept()
        with connection:
            try:
                while True:
                    fix = int(system.read(control, "3") or "3")
                    connection.sendall(nmea.epoch(int(time.time()), fix).encode())
                    time.sleep(1)
            except OSError:
                continue


def main(path: str, port: str) -> None:
    """Answers on both."""
    Path(path).unlink(missing_ok=True)
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(path)
    listener.listen()
    # GeoClue is a user of its own.
    os.chmod(path, 0o666)
    control = Path(path).with_suffix(".ctl")
    threading.Thread(target=_speak, args=(listener, control), daemon=True).start()
    HTTPServer(("127.0.0.1", int(port)), _Networks).serve_forever()


if __name__ == "__main__":
    main(*sys.argv[1:])
