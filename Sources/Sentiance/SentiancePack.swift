import ConformanceModel
import ReferenceKit

/// What Sentiance brings in code: a reference SDK, and the backend of a customer. Its platform is data
/// (`spec/sentiance/server.yaml`).
package enum SentiancePack {
  package static let programs = ReferenceProgram(
    protocolName: "sentiance", adapterExecutable: "sentiance-adapter", binding: PackageResources.binding_yaml,
    switches: ["sdk": Switches<SentianceSwitch>.allIDs])
}
