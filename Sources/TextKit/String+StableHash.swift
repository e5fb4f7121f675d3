extension String {
  /// The FNV-1a hash. It is the same in every process, so that a run can be repeated.
  package var stableHash: UInt64 {
    utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}
