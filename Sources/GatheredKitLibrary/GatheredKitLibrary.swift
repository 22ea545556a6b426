// Nothing but linker settings: the shared library is the C door, linked for every host.
import GatheredKitC
