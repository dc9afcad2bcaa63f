import Foundation

/// Time of a start until the first response, and the daemon's memory then, without notes and with
/// many.
enum StartUp {
    /// Targets for a start with many notes, in milliseconds and in megabytes.
    private static let (startMost, memoryMost) = (50.0, 64.0)

    /// - Parameter large: A store that no daemon has open.
    static func measure(_ context: Context, _ large: FilledStore) throws(Failure) -> [Figure] {
        let empty = try context.scratch()
        let notes = large.count.formatted()
        let nothing = "start and end of /bin/true"
        let idle = "resident memory of /bin/sleep"
        var emptyStart = Figure("start to first response, no notes", .milliseconds, yardstick: nothing)
        var largeStart = Figure(
            "start to first response, \(notes) notes", .milliseconds,
            beside: Yardstick("\(Table.text(startMost)) ms", reach: 1), Yardstick(nothing))
        var emptyMemory = Figure("memory after the start, no notes", .megabytes, yardstick: idle)
        var largeMemory = Figure(
            "memory after the start, \(notes) notes", .megabytes,
            beside: Yardstick("\(Table.text(memoryMost)) MB", reach: 1), Yardstick(idle))
        for _ in 0..<context.rounds {
            let least = try secondsOfTrue() * 1e3
            let sleeping = try Child(["/bin/sleep", "60"])
            pause(seconds: 0.1)
            let bound = Double(try ProcessFacts.memory(of: sleeping.pid).rss) / 1e6
            withExtendedLifetime(sleeping) {}
            let small = try start(in: empty, context)
            let big = try start(in: large.scratch, context)
            emptyStart.addRound(small.seconds * 1e3, yardstick: least)
            largeStart.addRound(
                Measured(value: big.seconds * 1e3), beside: Measured(value: startMost), Measured(value: least))
            emptyMemory.addRound(Double(small.memory.rss) / 1e6, yardstick: bound)
            largeMemory.addRound(
                Measured(value: Double(big.memory.rss) / 1e6), beside: Measured(value: memoryMost), Measured(value: bound))
            emptyMemory.remarks = ["\(megabytes(small.memory.pss)) MB as PSS, in the last round"]
            largeMemory.remarks = ["\(megabytes(big.memory.pss)) MB as PSS, in the last round"]
        }
        return [emptyStart, largeStart, emptyMemory, largeMemory]
    }

    private static func start(
        in scratch: Scratch, _ context: Context
    ) throws(Failure) -> (seconds: Double, memory: ProcessFacts.Memory) {
        let daemon = try context.daemon(in: scratch)
        // Lets the daemon finish and free what the start left.
        pause(seconds: 0.25)
        let memory = try ProcessFacts.memory(of: daemon.pid)
        try daemon.stop()
        return (daemon.secondsToFirstAnswer, memory)
    }

    private static func secondsOfTrue() throws(Failure) -> Double {
        var samples = Samples()
        for _ in 0..<20 {
            let start = seconds()
            try Child(["/bin/true"]).wait()
            samples.add(seconds() - start)
        }
        return samples.median
    }

    private static func megabytes(_ bytes: Int) -> String {
        (Double(bytes) / 1e6).formatted(.number.precision(.fractionLength(1)))
    }
}
