import ConformanceModel
import ConformancePack

extension ProtocolPack {
  /// The pack of a protocol whose reference server is defined in `server.yaml`; nil if the catalogue has no such file.
  package init?(dataOf catalogue: Catalogue) {
    guard let definition = catalogue.server else { return nil }
    self.init(catalogue, answeringBy: definition)
  }

  /// The pack of a protocol that has no reference server. In place of a reference server, it has a server without state
  /// and rules, which answers with golden responses.
  package init(goldenAnswersOf catalogue: Catalogue) {
    self.init(catalogue, answeringBy: ServerDefinition(), hasReferenceServer: false)
  }

  private init(
    _ catalogue: Catalogue, answeringBy definition: ServerDefinition, hasReferenceServer: Bool = true
  ) {
    let programs = ServerPrograms(definition, of: catalogue)
    self.init(
      name: catalogue.definition.name,
      makeServer: { DataServer(programs.program(for: $0, with: $2), seed: $1) },
      hasReferenceServer: hasReferenceServer, serverProvision: ServerProvision(values: definition.values),
      switches: catalogue.switches(of: definition))
  }
}

extension Catalogue {
  /// The defects and variants that a server implements in its data file, by the role to which they belong.
  fileprivate func switches(of server: ServerDefinition) -> [Role: Set<DefectID>] {
    let known = server.switches
    let sides = defects.map { ($0.id, $0.side) } + variants.map { ($0.id, $0.side) }
    return Dictionary(grouping: sides.filter { known.contains($0.0) }, by: \.1).mapValues { Set($0.map(\.0)) }
  }
}
