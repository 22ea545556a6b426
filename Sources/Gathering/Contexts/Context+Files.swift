package import Machine

extension Context {
  /// The files that the machine's own sources are read from; nil where they are not a machine's, as
  /// in a simulation or a recording.
  package var files: (any FileTree)? { (provider as? MachineProvider)?.machine.files }
}
