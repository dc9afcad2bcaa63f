import Foundation
import Glibc
import Synchronization

/// The plainest fan-out there is: a thread that writes one piece of bytes to each of many sockets, one behind the other, over
/// and over. Who reads counts bytes, and looks at none.
final class BroadcastYardstick {
    private let readers: WatcherPool
    private let writers: [Descriptor]
    private let piece: [UInt8]
    private let linesInPiece: Int

    /// - Parameter piece: some lines.
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

    /// Lines a second that arrive where they are written for about `time`.
    func linesPerSecond(for time: Double) throws(Failure) -> Double {
        // Else the sockets may be closed as soon as the thread is done with them, before all has been read.
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

    /// As C would do it: between two writes there is nothing but the loop. Returns how often it has been round, once at least; -1
    /// where a write failed or was cut short, which one to a socket that waits is not.
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

    /// What the writer says at its end: how often it has been round; -1 where it failed.
    private final class Progress: Sendable {
        let turns = Mutex<Int?>(nil)
    }
}
