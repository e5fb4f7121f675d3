import ConformanceModel

/// Describes the reference SDK and the reference backend of a protocol, which are programs. The reference server is not
/// a program, since a data file defines it.
package struct ReferenceProgram: Sendable {
  /// The name of the protocol's folders in `spec/` and `Fixtures/`.
  package var protocolName: String
  /// The file name of the reference SDK's adapter. This executable is in the same folder as `conform`.
  package var adapterExecutable: String
  /// The binding file of the reference backend, whose program is beside `conform`; nil without a reference backend.
  package var binding: [UInt8]?
  /// The defects and legal variants that the references implement, by role.
  package var switches: [Role: Set<DefectID>]

  package init(
    protocolName: String, adapterExecutable: String, binding: [UInt8]? = nil, switches: [Role: Set<DefectID>] = [:]
  ) {
    self.protocolName = protocolName
    self.adapterExecutable = adapterExecutable
    self.binding = binding
    self.switches = switches
  }
}
