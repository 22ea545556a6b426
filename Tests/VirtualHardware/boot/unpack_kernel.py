"""Unpacks the kernel of a Debian image, so that the virtual machine need not: IMAGE OUTPUT.

Under emulation the kernel's own unpacking takes three seconds of each boot.
"""

import lzma
import sys

_XZ = b"\xfd7zXZ\0"
_ELF = b"\x7fELF"


def unpacked(image: bytes) -> bytes:
    """The kernel inside an image; the image itself if it is packed in another way."""
    place = image.find(_XZ)
    while place >= 0:
        try:
            kernel = lzma.LZMADecompressor().decompress(image[place:])
            if kernel.startswith(_ELF):
                return kernel
        except lzma.LZMAError:
            pass
        place = image.find(_XZ, place + 1)
    return image


if __name__ == "__main__":
    with open(sys.argv[1], "rb") as source:
        found = unpacked(source.read())
    with open(sys.argv[2], "wb") as target:
        target.write(found)
