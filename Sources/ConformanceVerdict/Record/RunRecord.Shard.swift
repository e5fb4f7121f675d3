import JSONKit

extension RunRecord {
  /// The part of the planned cases that one of several machines performs, such as `--shard 2/4`.
  package struct Shard: Hashable, Sendable {
    /// The number of this shard, from 1.
    package var number: Int
    /// The number of shards, at least 2.
    package var count: Int
    /// The number of runs of cases in all shards together.
    package var whole: Int
    /// The record of the earlier run whose durations decided which case belongs to which shard; nil if a hash of the
    /// case's name decided.
    package var balance: Header.FileDigest?

    package init(number: Int, count: Int, whole: Int, balance: Header.FileDigest? = nil) {
      self.number = number
      self.count = count
      self.whole = whole
      self.balance = balance
    }

    /// The options that select this shard, as a user types them.
    package var words: [String] {
      ["--shard", "\(number)/\(count)"] + (balance.map { ["--balance", $0.file] } ?? [])
    }
  }
}

extension RunRecord.Shard: CustomStringConvertible {
  /// The shard in words, such as `shard 2 of 4`.
  package var description: String { "shard \(number) of \(count)" }
}

extension RunRecord.Shard: JSONObjectEncodable, JSONRepresentable {
  package func encodeMembers(into members: inout some JSONMembers) {
    members.add("number", number)
    members.add("count", count)
    members.add("whole", whole)
    members.add("balance", balance)
  }

  package init(_ field: JSONField) throws(JSONField.Problem) {
    let number = try field.required("number")
    let count = try field.required("count")
    let whole = try field.required("whole")
    (self.number, self.count, self.whole) = (try number.int(), try count.int(), try whole.int())
    guard self.count >= 2 else { throw count.problem(expected: "a number of shards, at least 2") }
    guard (1...self.count).contains(self.number) else {
      throw number.problem(expected: "the number of a shard, from 1 to \(self.count)")
    }
    guard self.whole >= 0 else { throw whole.problem(expected: "a number of runs of cases, at least 0") }
    balance = try field.decodeIfPresent("balance")
  }
}
