import ConformanceModel
import JSONKit

extension RunRecord.Header {
  /// The numbers of roles, dialects and features of a protocol.
  package struct Extent: Hashable, Sendable {
    package var roles: Int
    package var dialects: Int
    package var features: Int

    package init(roles: Int, dialects: Int, features: Int) {
      self.roles = roles
      self.dialects = dialects
      self.features = features
    }

    package init(of definition: ProtocolDefinition) {
      self.init(
        roles: definition.roles.count, dialects: definition.dialects.count, features: definition.features.count)
    }
  }

  /// The part of the protocol that the run covered, such as "`sdk`, one of two roles, and in `spec`, one of four
  /// dialects". Nil if the run covered everything.
  package var part: String? {
    let parts = chosenParts + chosenNames + (shard.map { ["\($0)"] } ?? [])
    return parts.isEmpty ? nil : parts.joined(separator: ", and in ")
  }

  private var chosenParts: [String] {
    guard let extent else { return [] }
    let chosenRoles = selection.contains("--role") ? roles.map(\.rawValue) : []
    return [
      Self.part(chosenRoles, of: extent.roles, "roles"),
      Self.part(dialects.map(\.rawValue), of: extent.dialects, "dialects"),
      Self.part(chosenFeatures, of: extent.features, "features"),
    ].compactMap(\.self)
  }

  private var chosenFeatures: [String] { values(of: "--feature") }

  /// The chosen cases, requirements and profiles, such as "`offline.*`". If there are more than two of a kind, only
  /// their number.
  private var chosenNames: [String] {
    ["case", "requirement", "profile"].compactMap { kind in
      let names = values(of: "--\(kind)").map { "`\($0)`" }
      if names.isEmpty { return nil }
      return names.count > 2 ? "\(names.count.inWords) chosen \(kind)s" : names.joined(separator: " and ")
    }
  }

  /// The names of the chosen profiles; empty if the run is not limited to profiles.
  package var profiles: [String] { values(of: "--profile") }

  private func values(of option: String) -> [String] {
    zip(selection, selection.dropFirst()).filter { $0.0 == option }.map(\.1)
  }

  private static func part(_ chosen: [String], of count: Int, _ what: String) -> String? {
    guard !chosen.isEmpty, chosen.count < count else { return nil }
    let names = chosen.map { "`\($0)`" }
    let list = names.dropLast().joined(separator: ", ") + (names.count > 1 ? " and " : "") + names[names.count - 1]
    return "\(list), \(chosen.count.inWords) of \(count.inWords) \(what)"
  }
}

extension RunRecord.Header.Extent: JSONObjectEncodable, JSONRepresentable {
  package func encodeMembers(into members: inout some JSONMembers) {
    members.add("roles", roles)
    members.add("dialects", dialects)
    members.add("features", features)
  }

  package init(_ field: JSONField) throws(JSONField.Problem) {
    roles = try field.required("roles").int()
    dialects = try field.required("dialects").int()
    features = try field.required("features").int()
  }
}

extension Int {
  /// The number as a word, such as `four`; in digits from 13 on.
  fileprivate var inWords: String {
    let words = [
      "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    ]
    return words.indices.contains(self) ? words[self] : "\(self)"
  }
}
