import Causality
import NoteText
import NotesModel
import Synchronization

/// All acknowledged writes, and the merged text that they imply: the checker of guarantee G2.
///
/// A text is a set of lines; each line was inserted by exactly one write and is unique. So the
/// expected text follows from sets: a line appears once if its insertion was acknowledged, unless
/// an acknowledged write removed it whose writer had been shown the line. A write based on a
/// deleted version removes all lines of that version.
final class WriteLog: Sendable {
    typealias Line = ByteString

    struct Write: Sendable {
        let note: NoteID
        let dot: Dot
        /// The base of the write.
        let base: Version
        var inserted: Set<Line> = []
        var removed: Set<Line> = []
        var isDeletion = false
        /// The writer's own text; nil if it does not matter.
        var text: [UInt8]?
    }

    private let writes = Mutex<[Dot: Write]>([:])
    private let clashes = Mutex<[Dot]>([])
    /// Yields the number of writes after each.
    let counts: AsyncStream<Int>
    private let counting: AsyncStream<Int>.Continuation

    init() {
        (counts, counting) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    func acknowledged(_ write: Write) {
        let (isNew, count) = writes.withLock { ($0.updateValue(write, forKey: write.dot) == nil, $0.count) }
        if !isNew { clashes.withLock { $0.append(write.dot) } }
        counting.yield(count)
    }

    var count: Int { writes.withLock { $0.count } }
    var all: [Write] { writes.withLock { Array($0.values) } }
    /// Dots assigned to two writes.
    var dotsGivenTwice: [Dot] { clashes.withLock { $0 } }

    func writes(of note: NoteID) -> [Write] { all.filter { $0.note == note } }

    /// The text that the note must have now that all its writes are known; nil if it must be
    /// deleted.
    func expected(of note: NoteID) -> Set<Line>? {
        let writes = Dictionary(uniqueKeysWithValues: writes(of: note).map { ($0.dot, $0) })
        let seen = Set(writes.values.flatMap(\.base.dots))
        let siblings = writes.values.filter { !seen.contains($0.dot) }
        if siblings.allSatisfy(\.isDeletion) { return nil }
        var lines = Set(writes.values.flatMap(\.inserted))
        for write in writes.values {
            lines.subtract(write.removed)
            let isOnDeleted = !write.base.isNothing && write.base.dots.allSatisfy { writes[$0]?.isDeletion == true }
            if isOnDeleted { lines.subtract(Self.inserted(upTo: write.base, writes)) }
        }
        return lines
    }

    private static func inserted(upTo version: Version, _ writes: [Dot: Write]) -> Set<Line> {
        var lines: Set<Line> = []
        var visited: Set<Dot> = []
        var waiting = version.dots
        while let dot = waiting.popLast() {
            guard visited.insert(dot).inserted, let write = writes[dot] else { continue }
            lines.formUnion(write.inserted)
            waiting += write.base.dots
        }
        return lines
    }
}

/// The lines of a text that ends with LF, without their LFs.
func lines(of text: [UInt8]) -> [ByteString] {
    text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: true).compactMap { ByteString(checkedUTF8: Array($0)) }
}

func text(of lines: [ByteString]) -> [UInt8] {
    lines.flatMap { $0.utf8 + [UInt8(ascii: "\n")] }
}
