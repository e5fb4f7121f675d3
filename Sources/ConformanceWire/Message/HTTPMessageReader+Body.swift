/// Reads the body: by length, in chunks (RFC 9112 §7.1), or until the connection ends.
extension HTTPMessageReader {
  mutating func readSized(_ end: Int) -> Output? {
    guard buffer.count >= end else { return .needsMore }
    message.body = Array(buffer[bodyStart..<end])
    position = end
    return complete()
  }

  mutating func readChunkSize() throws(HTTPProblem) -> Output? {
    // Extensions are allowed, but a line without an end is not allowed.
    let line = try takeLine(
      "a chunk size", before: position + 4098, else: .malformed("a chunk size line longer than 4096 bytes"))
    guard let line else { return .needsMore }
    let size = try HTTPLines.chunkSize(line)
    guard size <= limits.body, position - bodyStart + size <= limits.body else { throw bodyTooLarge }
    state = size == 0 ? .trailers : .chunkData(end: position + size)
    return nil
  }

  mutating func readChunkData(_ end: Int) -> Output? {
    guard buffer.count >= end else { return .needsMore }
    message.body.append(contentsOf: buffer[position..<end])
    position = end
    state = .chunkEnd
    return nil
  }

  mutating func readChunkEnd() throws(HTTPProblem) -> Output? {
    let end = buffer[position...].prefix(2)
    guard zip(end, [0x0D, 0x0A] as [UInt8]).allSatisfy(==) else {
      throw .malformed("a chunk is longer than its size says")
    }
    guard end.count == 2 else { return .needsMore }
    position += 2
    state = .chunkSize
    return nil
  }

  mutating func readTrailers() throws(HTTPProblem) -> Output? {
    let excess = bodyTooLarge
    while true {
      let number = message.trailers.fields.count + 1
      guard let line = try takeLine("trailer \(number)", before: bodyStart + limits.body, else: excess) else {
        return .needsMore
      }
      if line.isEmpty { return complete() }
      message.trailers.fields.append(try HTTPLines.field(line, "trailer \(number)"))
    }
  }

  mutating func readUntilClose() throws(HTTPProblem) -> Output? {
    position = buffer.count
    guard position - bodyStart <= limits.body else { throw bodyTooLarge }
    return .needsMore
  }

  private var bodyTooLarge: HTTPProblem { .tooLarge("the body is larger than \(limits.body) bytes") }
}
