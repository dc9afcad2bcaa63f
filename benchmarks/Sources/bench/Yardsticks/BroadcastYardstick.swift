import Foundation
import Synchronization

/// The plainest fan-out there is: a thread that writes one piece of bytes to each of many sockets, one behind the other, over
/// and over. Who reads is the same code that reads what the daemon sends.
final class BroadcastYardstick {
    let readers: WatcherPool
    private let writers: [Descriptor]

    init(sockets: Int) throws(Failure) {
        var (near, far): ([Descriptor], [Descriptor]) = ([], [])
        for _ in 0..<sockets {
            let (reader, writer) = try Descriptor.pair()
            near.append(reader)
            far.append(writer)
        }
        readers = try WatcherPool(near, of: "the yardstick")
        writers = far
    }

    /// Lines a second that arrive where `piece`, some lines, is written for about `time`.
    func linesPerSecond(_ piece: [UInt8], for time: Double) throws(Failure) -> Double {
        // Else the sockets may be closed as soon as the thread is done with them, before all has been read.
        defer { withExtendedLifetime(self) {} }
        let before = readers.tally.lines
        let progress = Progress()
        let writers = writers
        let start = seconds()
        Thread.detachNewThread {
            var turns = 0
            do throws(Failure) {
                // Once at least, however late the thread comes to run.
                repeat {
                    for writer in writers { try writer.writeAll(piece) }
                    turns += 1
                } while seconds() - start < time
            } catch {
                turns = -1
            }
            let result = turns
            progress.turns.withLock { $0 = result }
        }
        let linesInPiece = piece.count { $0 == 0x0a }
        while true {
            let turns = progress.turns.withLock { $0 }
            guard turns != -1 else { throw Failure("the yardstick's writer failed") }
            if let turns, readers.tally.lines - before >= turns * writers.count * linesInPiece { break }
            try readers.pump(milliseconds: 20)
        }
        return Double(readers.tally.lines - before) / (seconds() - start)
    }

    /// What the writer says at its end: how often it has been round; -1 where it failed.
    private final class Progress: Sendable {
        let turns = Mutex<Int?>(nil)
    }
}
