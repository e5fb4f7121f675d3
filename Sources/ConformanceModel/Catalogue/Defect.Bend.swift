import JSONKit

extension Defect {
  /// A change of what an honest subject sends or says: a defect that needs nothing from the subject.
  package struct Bend: Hashable, Sendable {
    /// What is changed of a subject.
    package enum Subject: String, CaseIterable, Sendable {
      /// A request that it sends to a mock.
      case request
      /// Its response to a request of the kit.
      case answer
      /// What its adapter answers to a command.
      case reply
      /// A call of a callback, by the command that registered it.
      case callback
    }

    /// How it is changed.
    package enum Change: Hashable, Sendable {
      case remove(JSONPath)
      case set([Replacement])
      case rename([Renaming])
      case retype(JSONPath)
      /// It happens twice.
      case `repeat`
      /// It never happens.
      case lose
      /// It happens so much later.
      case delay(LogicalTime)
      /// The one with this number in a case, counted from one, changes places with the next of its kind.
      case reorder(Int)
    }

    /// A value and where it is put.
    package struct Replacement: Hashable, Sendable {
      package var path: JSONPath
      package var value: JSON

      package init(path: JSONPath, value: JSON) {
        self.path = path
        self.value = value
      }
    }

    /// A member and its other name.
    package struct Renaming: Hashable, Sendable {
      package var path: JSONPath
      package var name: String

      package init(path: JSONPath, name: String) {
        self.path = path
        self.name = name
      }
    }

    package var subject: Subject
    /// The exchange or command; nil for any.
    package var name: String?
    /// Only what matches is changed.
    package var filter: Template?
    /// Only answers to requests that match are changed.
    package var asked: Template?
    package var change: Change

    package init(
      _ subject: Subject, of name: String? = nil, filter: Template? = nil, asked: Template? = nil, _ change: Change
    ) {
      self.subject = subject
      self.name = name
      self.filter = filter
      self.asked = asked
      self.change = change
    }

    /// Whether it changes when something comes, and not what.
    package var isAboutTime: Bool {
      switch change {
      case .delay, .reorder: true
      default: false
      }
    }
  }
}
