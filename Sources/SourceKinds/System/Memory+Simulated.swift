import Gathering

extension Memory {
  func simulated(on device: BuiltInDevice) -> String {
    device.part(laptop: Self.laptop, phone: Self.phone)
  }

  private static let laptop = """
    0 add memory|machine
    0 set memory|machine/total 16647688192
    0 set memory|machine/available 9663676416
    0 wave memory|machine/available sine 536870912 0.01
    0 set memory|machine/free 4294967296
    0 wave memory|machine/free sine 268435456 0.01
    0 set memory|machine/buffers 419430400
    0 set memory|machine/cached 5368709120
    0 set memory|machine/reclaimable 629145600
    0 set memory|machine/shared 786432000
    0 set memory|machine/dirty 2097152
    0 wave memory|machine/dirty noise 1048576 0.2
    0 set memory|machine/swap_total 8589930496
    0 set memory|machine/swap_free 8053063680
    0 set memory|machine/swap_cached 33554432
    0 absent memory|machine/zswap unsupported this kernel has no zswap
    0 set memory|machine/pressure_some_avg10 0.4
    0 wave memory|machine/pressure_some_avg10 sine 0.4 0.02
    0 set memory|machine/pressure_some_avg60 0.3
    0 set memory|machine/pressure_some_avg300 0.2
    0 set memory|machine/pressure_full_avg10 0.1
    0 set memory|machine/pressure_full_avg60 0.1
    0 set memory|machine/pressure_full_avg300 0.05
    0 set memory|machine/pressure_some_total 500036
    0 wave memory|machine/pressure_some_total ramp 500000 0.00000001
    0 set memory|machine/pressure_full_total 100009
    0 wave memory|machine/pressure_full_total ramp 100000 0.00000001
    0 absent memory|machine/cgroup_limit noData no limit is set
    0 set memory|machine/cgroup_current 734003200
    """

  private static let phone = """
    0 add memory|machine
    0 set memory|machine/total 3985506304
    0 set memory|machine/available 2147483648
    0 wave memory|machine/available sine 134217728 0.01
    0 set memory|machine/free 536870912
    0 wave memory|machine/free sine 67108864 0.01
    0 set memory|machine/buffers 52428800
    0 set memory|machine/cached 1468006400
    0 set memory|machine/reclaimable 104857600
    0 set memory|machine/shared 157286400
    0 set memory|machine/dirty 524288
    0 wave memory|machine/dirty noise 262144 0.2
    0 set memory|machine/swap_total 2147479552
    0 set memory|machine/swap_free 1879048192
    0 set memory|machine/swap_cached 8388608
    0 set memory|machine/zswap 67108864
    0 absent memory|machine/pressure_some_avg10 unsupported this kernel measures no pressure
    0 absent memory|machine/pressure_some_avg60 unsupported this kernel measures no pressure
    0 absent memory|machine/pressure_some_avg300 unsupported this kernel measures no pressure
    0 absent memory|machine/pressure_full_avg10 unsupported this kernel measures no pressure
    0 absent memory|machine/pressure_full_avg60 unsupported this kernel measures no pressure
    0 absent memory|machine/pressure_full_avg300 unsupported this kernel measures no pressure
    0 absent memory|machine/pressure_some_total unsupported this kernel measures no pressure
    0 absent memory|machine/pressure_full_total unsupported this kernel measures no pressure
    0 absent memory|machine/cgroup_limit noData no limit is set
    0 set memory|machine/cgroup_current 209715200
    """
}
