import Glibc

/// The reason why a figure could not be measured.
struct BenchFailure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }

  /// A system call that failed, with the text of `errno`.
  init(system call: String, code: Int32 = errno) { description = "\(call): \(String(cString: strerror(code)))" }
}
