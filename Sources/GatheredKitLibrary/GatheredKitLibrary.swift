// The shared library is the C door and nothing else; this target only carries its linker flags.
@_exported public import GatheredKitC
