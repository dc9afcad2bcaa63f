/// Lines cut out of a stream that arrives in pieces, compared with splitting the whole stream at
/// once.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzz(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
    var input = FuzzInput(data, size)
    let limit = 1 + input.below(40)
    let sizes = (0..<4).map { _ in 1 + input.below(60) }
    let skips = input.byte()
    let stream = input.all()
    let (lines, most) = events(stream, limit: limit, sizes: sizes)
    precondition(lines == naive(stream, limit), "the events are those of the whole")
    precondition(lines == events(stream, limit: limit, sizes: [1]).0, "single bytes give the same events")
    precondition(most <= limit, "no more bytes are kept than a line may have")
    if skips & 1 == 1 { checkSkipping(stream, limit, after: Int(skips >> 1)) }
    return 0
}

/// All events, and the greatest number of bytes kept after they were taken.
private func events(_ stream: [UInt8], limit: Int, sizes: [Int]) -> ([LineFramer.Event], Int) {
    var framer = LineFramer(lineBytesMax: limit)
    var events: [LineFramer.Event] = []
    var rest = stream[...]
    var (piece, most) = (0, 0)
    while !rest.isEmpty {
        let size = sizes[piece % sizes.count]
        framer.receive(Array(rest.prefix(size)))
        rest = rest.dropFirst(size)
        piece += 1
        while let event = framer.next() { events.append(event) }
        most = max(most, framer.bufferedBytes)
    }
    return (events, most)
}

private func naive(_ stream: [UInt8], _ limit: Int) -> [LineFramer.Event] {
    var events: [LineFramer.Event] = []
    let lines = stream.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
        if line.count > limit {
            events.append(.tooLong)
        } else if index < lines.count - 1, !line.allSatisfy({ " \t\r".utf8.contains($0) }) {
            events.append(.line(Array(line.last == UInt8(ascii: "\r") ? line.dropLast() : line)))
        }
    }
    return events
}

/// A skipped partial line has no effect.
private func checkSkipping(_ stream: [UInt8], _ limit: Int, after count: Int) {
    var framer = LineFramer(lineBytesMax: limit)
    framer.receive(Array(stream.prefix(count)))
    var found: [LineFramer.Event] = []
    while let event = framer.next() { found.append(event) }
    framer.skipLine()
    framer.receive(Array(stream.dropFirst(count)))
    while let event = framer.next() { found.append(event) }
    let before = stream.prefix(count)
    let start = (before.lastIndex(of: UInt8(ascii: "\n")) ?? -1) + 1
    let rest = stream.dropFirst(count)
    let end = rest.firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? stream.count
    let isTold = before[start...].count > limit
    let expected =
        naive(Array(before[..<start]), limit) + (isTold ? [.tooLong] : []) + naive(Array(stream[end...]), limit)
    precondition(found == expected, "a skipped line is gone up to its end")
}
