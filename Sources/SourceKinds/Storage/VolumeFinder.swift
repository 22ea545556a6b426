import Gathering
import Machine
import Values

/// Finds the volumes among the mounts of a machine.
struct VolumeFinder {
  private let machine: Machine
  private var files: any FileTree { machine.files }

  init(_ machine: Machine) { self.machine = machine }

  /// One volume a file system, in natural order of mount points, with its part in the aggregate.
  func volumes(in mounts: [Mount]) -> [Instance] {
    var devices: Set<String> = []
    let chosen = visible(mounts).filter { !$0.isPseudo && devices.insert($0.device).inserted }
    let volumes = chosen.compactMap { Volume(self, $0) }
      .sorted { NaturalOrder.areInIncreasingOrder($0.mount.mountPoint, $1.mount.mountPoint) }
    let members = members(of: volumes)
    return volumes.map { $0.instance(isMember: members.contains($0.mount.mountPoint)) }
      .withDistinctNames()
  }

  /// The mounts that are not hidden by a later mount on the same place.
  private func visible(_ mounts: [Mount]) -> [Mount] {
    var last: [String: Int] = [:]
    for (index, mount) in mounts.enumerated() { last[mount.mountPoint] = index }
    return mounts.enumerated().filter { last[$0.element.mountPoint] == $0.offset }.map(\.element)
  }

  /// Those the aggregate counts: fixed, writable volumes; of a zfs pool the largest data set; if
  /// there is none, the root.
  private func members(of volumes: [Volume]) -> Set<String> {
    var pools: [String: Volume] = [:]
    var names: Set<String> = []
    for volume in volumes where volume.mount.isOnDevice && !volume.mount.isImage {
      if volume.mount.filesystem == "zfs" {
        let pool = String(volume.mount.source.prefix { $0 != "/" })
        if volume.bytes > pools[pool]?.bytes ?? -1 { pools[pool] = volume }
      } else if !volume.isRemovable {
        names.insert(volume.mount.mountPoint)
      }
    }
    names.formUnion(pools.values.map(\.mount.mountPoint))
    return names.isEmpty ? ["/"] : names
  }

  /// A mount that stores something.
  private struct Volume {
    var mount: Mount
    var device: BlockDevice?
    var isRemovable = false
    var bytes = 0.0

    /// Nil for a file system without blocks. A remote one is not queried.
    init?(_ finder: VolumeFinder, _ mount: Mount) {
      self.mount = mount
      let isAsked = !mount.mayBeRemote || finder.machine.nature == .captured
      if isAsked, let sizes = try? finder.files.statistics(of: mount.mountPoint) {
        if sizes.blocks == 0 { return nil }
        bytes = Double(sizes.blocks) * Double(sizes.blockSize)
      }
      device = BlockDevice.of(mount, in: finder.files)
      if let disk = device?.disk, !disk.isEmpty {
        let flag = Outcome(reading: PolledFile("\(disk)/removable", in: finder.files), .flag)
        isRemovable = flag.value == .bool(true)
      }
    }

    func instance(isMember: Bool) -> Instance {
      var notes = ["source": mount.source, "filesystem": mount.filesystem]
      notes["device"] = device.map(\.number) ?? mount.deviceWithCounters
      notes["disk"] = device.map(\.disk)
      if mount.mayBeRemote { notes["remote"] = "yes" }
      return Instance(
        mount.mountPoint, availability: Availability(.available, backend: "procfs"),
        path: mount.mountPoint, notes: notes, isMember: isMember)
    }
  }
}

extension Mount {
  /// The number of a device that may have counters; anonymous ones have none.
  fileprivate var deviceWithCounters: String? { device.hasPrefix("0:") ? nil : device }
}
