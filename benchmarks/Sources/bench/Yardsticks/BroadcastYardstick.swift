import Foundation
import Glibc
import Synchronization

/// The simplest possible fan-out: a thread writes the same bytes to one socket after another, over
/// and over. The reader counts bytes and parses none.
final class BroadcastYardstick {
    private let readers: WatcherPool
    private let writers: [Descriptor]
    private let piece: [UInt8]
    private let linesInPiece: Int

    /// - Parameter piece: The bytes of some lines.
    init(sockets: Int, piece: [UInt8]) throws(Failure) {
        var (near, far): ([Descriptor], [Descriptor]) = ([], [])
        for _ in 0..<sockets {
            let (reader, writer) = try Descriptor.pair()
            near.append(reader)
            far.append(writer)
        }
        readers = try WatcherPool(near, of: "the yardstick", framing: .messages(bytes: piece.count))
        writers = far
        self.piece = piece
        linesInPiece = piece.count { $0 == 0x0a }
    }

    /// Number of lines per second that arrive while the thread writes for about `time`.
    func linesPerSecond(for time: Double) throws(Failure) -> Double {
        // Keeps the sockets open until everything has been read.
        defer { withExtendedLifetime(self) {} }
        let before = readers.tally.lines
        let progress = Progress()
        let (piece, numbers) = (piece, writers.map(\.number))
        let start = seconds()
        Thread.detachNewThread {
            let turns = Self.write(piece, to: numbers, until: start + time)
            progress.turns.withLock { $0 = turns }
        }
        while true {
            let turns = progress.turns.withLock { $0 }
            guard turns != -1 else { throw Failure("the yardstick's writer failed") }
            if let turns, readers.tally.lines - before >= turns * writers.count { break }
            try readers.pump(milliseconds: 20)
        }
        return Double((readers.tally.lines - before) * linesInPiece) / (seconds() - start)
    }

    /// A loop with nothing between two writes, as in C. Returns how many times it went over all
    /// sockets, at least 1; -1 if a write failed or was cut short, which a write to a blocking
    /// socket never is.
    private static func write(_ piece: [UInt8], to sockets: [Int32], until end: Double) -> Int {
        sockets.withUnsafeBufferPointer { sockets in
            piece.withUnsafeBytes { piece in
                var turns = 0
                repeat {
                    for socket in sockets where Glibc.write(socket, piece.baseAddress, piece.count) != piece.count { return -1 }
                    turns += 1
                } while seconds() < end
                return turns
            }
        }
    }

    /// The writer's result: how many times it went over all sockets; -1 if it failed.
    private final class Progress: Sendable {
        let turns = Mutex<Int?>(nil)
    }
}
