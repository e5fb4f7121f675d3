/// What the kit plays around a subject of a role, and all that the engine knows of the role.
package struct Ports: Hashable, Sendable {
  /// Whether the kit presses the subject's buttons, through an adapter.
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

  /// Whether it has none at all: nothing could be done with such a subject.
  package var isEmpty: Bool { !hasDriver && upstream.isEmpty && downstream.isEmpty }
}
