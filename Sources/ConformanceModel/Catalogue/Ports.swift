/// The ports between the kit and a subject of a role. The kit knows nothing else about a role.
package struct Ports: Hashable, Sendable {
  /// Whether the kit operates the subject through an adapter.
  package var hasDriver: Bool
  /// The services whose mock servers the subject calls.
  package var upstream: [ServiceName]
  /// The services that the subject offers and the kit calls.
  package var downstream: [ServiceName]

  package init(hasDriver: Bool = false, upstream: [ServiceName] = [], downstream: [ServiceName] = []) {
    self.hasDriver = hasDriver
    self.upstream = upstream
    self.downstream = downstream
  }

  /// Whether the role has no port, so that its subjects cannot be tested.
  package var isEmpty: Bool { !hasDriver && upstream.isEmpty && downstream.isEmpty }
}
