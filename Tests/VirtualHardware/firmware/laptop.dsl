// A laptop's power parts: battery, mains adapter, lid, thermal zone, ambient light sensor and
// display backlight, served by the kernel's own ACPI drivers. Their values live in 4 KiB of RAM
// that the kernel leaves alone (memmap= on its command line); virtual_devices/firmware.py writes
// them there, bumps SEQ and reads the thermal zone, whose _TMP then sends the Notify() events a
// real embedded controller would send. The two files share the layout.
DefinitionBlock ("", "SSDT", 2, "GKVIRT", "LAPTOP", 1)
{
    External (\_SB.PCI0, DeviceObj)

    OperationRegion (CELL, SystemMemory, 0x10000000, 0x1000)
    Field (CELL, DWordAcc, NoLock, Preserve)
    {
        SEQ,  32,   // 0x00 bumped by every change
        BPRS, 32,   // 0x04 battery present
        BSTA, 32,   // 0x08 _BST state: 1 discharging, 2 charging, 4 critical
        BRAT, 32,   // 0x0c rate, mW
        BREM, 32,   // 0x10 remaining, mWh
        BVOL, 32,   // 0x14 voltage, mV
        BDES, 32,   // 0x18 design capacity, mWh
        BFUL, 32,   // 0x1c full capacity, mWh
        BDVO, 32,   // 0x20 design voltage, mV
        BCYC, 32,   // 0x24 cycle count
        ACON, 32,   // 0x28 mains online
        LIDO, 32,   // 0x2c lid open
        TEMP, 32,   // 0x30 thermal zone, tenths of kelvin
        ALUX, 32,   // 0x34 ambient light, lux
        BCLV, 32    // 0x38 backlight level, percent (written by the kernel)
    }

    Scope (\_SB)
    {
        Device (BAT0)
        {
            Name (_HID, EisaId ("PNP0C0A"))
            Name (_UID, Zero)
            Name (_PCL, Package () { \_SB })
            Method (_STA) { If (BPRS) { Return (0x1F) } Return (0x0F) }
            Name (PBIX, Package () {
                Zero, Zero, Zero, Zero, One, Zero, Zero, Zero, Zero,
                95000, 1000, 500, 1000, 500, 100, 100,
                "GK-VIRTUAL", "0001", "LION", "GatheredKit" })
            Name (PBST, Package () { Zero, Zero, Zero, Zero })
            Method (_BIX, 0, Serialized)
            {
                PBIX [2] = BDES
                PBIX [3] = BFUL
                PBIX [5] = BDVO
                PBIX [6] = BDES / 10
                PBIX [7] = BDES / 20
                PBIX [8] = BCYC
                Return (PBIX)
            }
            Method (_BST, 0, Serialized)
            {
                PBST [0] = BSTA
                PBST [1] = BRAT
                PBST [2] = BREM
                PBST [3] = BVOL
                Return (PBST)
            }
        }
        Device (ADP1)
        {
            Name (_HID, "ACPI0003")
            Name (_PCL, Package () { \_SB })
            Method (_PSR) { Return (ACON) }
            Method (_STA) { Return (0x0F) }
        }
        Device (LID0)
        {
            Name (_HID, EisaId ("PNP0C0D"))
            Method (_LID) { Return (LIDO) }
        }
        Device (ALS0)
        {
            Name (_HID, "ACPI0008")
            Method (_ALI) { Return (ALUX) }
            Name (_ALR, Package () {
                Package () { 70, 0 }, Package () { 100, 300 }, Package () { 150, 1000 } })
        }
    }

    Scope (\_SB.PCI0)
    {
        Device (GFX0)
        {
            Name (_ADR, 0x00020000)     // where the virtual machine has its graphics card
            Method (_DOS, 1) { }
            Method (_DOD) { Return (Package () { 0x80000400 }) }
            Device (LCD0)
            {
                Method (_ADR) { Return (0x0400) }
                Method (_DCS) { Return (0x1F) }
                Method (_DGS) { Return (One) }
                Method (_DSS, 1) { }
                Method (_BCL) {
                    Return (Package () { 80, 50, 0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100 })
                }
                Method (_BCM, 1) { BCLV = Arg0 }
                Method (_BQC) { Return (BCLV) }
            }
        }
    }

    Scope (\_TZ)
    {
        ThermalZone (TZ00)
        {
            Name (SEEN, Zero)
            Name (WASP, Zero)
            Name (WASA, Zero)
            Name (WASL, Zero)
            Method (_TMP)
            {
                If (SEQ != SEEN)
                {
                    SEEN = SEQ
                    If (BPRS != WASP) { WASP = BPRS Notify (\_SB.BAT0, 0x81) }
                    Notify (\_SB.BAT0, 0x80)
                    If (ACON != WASA) { WASA = ACON Notify (\_SB.ADP1, 0x80) }
                    If (LIDO != WASL) { WASL = LIDO Notify (\_SB.LID0, 0x80) }
                    Notify (\_SB.ALS0, 0x80)
                }
                If (TEMP) { Return (TEMP) }
                Return (2982)
            }
            Name (_CRT, 3932)
            Name (_TZP, 10)
        }
    }
}
