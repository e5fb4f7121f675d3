/// A reference SDK in code of a protocol whose server is data.
package struct ReferenceProgram: Sendable {
  /// The name of the folder in `spec/` and `Fixtures/`.
  package var protocolName: String
  /// The file name of its adapter's executable, beside `conform`.
  package var adapterExecutable: String
  /// The defects and legal variants that it knows, by side.
  package var switches: [Role: Set<DefectID>]

  package init(protocolName: String, adapterExecutable: String, switches: [Role: Set<DefectID>] = [:]) {
    self.protocolName = protocolName
    self.adapterExecutable = adapterExecutable
    self.switches = switches
  }
}
