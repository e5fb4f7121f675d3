import Glibc

/// The reason why a figure could not be taken.
struct BenchFailure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }

  /// A call of the system that failed, with its reason.
  init(system call: String, code: Int32 = errno) { description = "\(call): \(String(cString: strerror(code)))" }
}
