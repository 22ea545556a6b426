"""Creates and drives the virtual machine's devices, from inside and as root."""
