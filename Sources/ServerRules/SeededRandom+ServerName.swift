import ConformanceModel

extension SeededRandom {
  /// A random value in the form that the server name, such as `random.uuid`, requires.
  package mutating func value(_ draw: ServerName.Draw) -> String {
    switch draw {
    case .uuid: uuid()
    case .hex(let length): text(of: Self.digits + "abcdef", length)
    case .text(let length): mixedText(length)
    case .digits(let length): text(of: Self.digits, length)
    }
  }

  private static let digits = "0123456789"

  /// A random text of letters and digits. A text of 16 or more characters has at least three digits, because reports
  /// recognise random texts by their digits.
  private mutating func mixedText(_ length: Int) -> String {
    let letters = Self.digits + "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
    var drawn = text(of: letters, length)
    while length >= 16, drawn.count(where: \.isNumber) < 3 { drawn = text(of: letters, length) }
    return drawn
  }

  private mutating func text(of letters: String, _ length: Int) -> String {
    let letters = Array(letters.utf8)
    return String(
      decoding: (0..<length).map { _ in letters[Int.random(in: letters.indices, using: &self)] }, as: UTF8.self)
  }
}
