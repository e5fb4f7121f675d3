import ConformanceModel
import ReferenceKit

/// The code of the Sentiance pack: a reference SDK, and the backend of a customer. The platform is data
/// (`spec/sentiance/server.yaml`).
package enum SentiancePack {
  package static let programs = ReferenceProgram(
    protocolName: "sentiance", adapterExecutable: "sentiance-adapter", binding: PackageResources.binding_yaml,
    switches: ["sdk": Switches<SentianceSwitch>.allIDs])
}
