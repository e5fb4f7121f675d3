import Synchronization

/// A value that several tasks change, one after the other.
public final class Kept<Value: Sendable>: Sendable {
  private let mutex: Mutex<Value>

  public init(_ value: Value) { mutex = Mutex(value) }

  public var value: Value { mutex.withLock { $0 } }

  public func change(_ body: (inout Value) -> Void) { mutex.withLock { body(&$0) } }
}
