extension ProtocolPack {
  /// What a protocol has whose server is data; nil where it has no `server.yaml`.
  package init?(dataOf catalogue: Catalogue) {
    guard let definition = catalogue.server else { return nil }
    self.init(catalogue, answeringBy: definition)
  }

  /// What a protocol has without a server of its own: the golden answers, which keep no state.
  package init(goldenAnswersOf catalogue: Catalogue) {
    self.init(catalogue, answeringBy: ServerDefinition(), hasReferenceServer: false)
  }

  private init(
    _ catalogue: Catalogue, answeringBy definition: ServerDefinition, hasReferenceServer: Bool = true
  ) {
    let programs = Dictionary(
      catalogue.definition.dialects.map { dialect in
        (dialect, ServerProgram(definition, exchanges: catalogue.exchanges, models: catalogue.models, dialect: dialect))
      }, uniquingKeysWith: { first, _ in first })
    let (exchanges, models) = (catalogue.exchanges, catalogue.models)
    self.init(
      name: catalogue.definition.name,
      makeServer: { dialect, seed, _ in
        let program =
          programs[dialect] ?? ServerProgram(definition, exchanges: exchanges, models: models, dialect: dialect)
        return DataServer(program, seed: seed)
      }, hasReferenceServer: hasReferenceServer, serverProvision: ServerProvision(values: definition.values))
  }
}
