import Foundation

/// The time for a page in the middle of a long list.
enum Listing {
    private static let page = 100
    /// Pages to skip before the measured one, at most. The position makes no difference, and
    /// skipping takes time.
    private static let pagesBefore = 1_000

    static func measure(_ context: Context, _ store: FilledStore) throws(Failure) -> [Figure] {
        let daemon = try context.daemon(in: store.scratch)
        let client = try daemon.client()
        let request = Request.listNotes(limit: page, after: try inTheMiddle(client, of: store))
        let answer = try client.call(request)
        let echo = try EchoYardstick(
            requestBytes: request.line(id: 1).count, answerBytes: answer.line.count + 1, disk: nil)
        var figure = Figure(
            "page of \(page) among \(store.count.formatted()) notes, p50", .milliseconds,
            yardstick: "a socket round trip with a response of \(answer.line.count.formatted()) bytes, p50")
        for _ in 0..<context.rounds {
            let least = try echo.rounds(for: context.roundSeconds / 8)
            let meter = try CoreMeter(of: daemon.pid)
            var samples = Samples()
            let end = seconds() + context.roundSeconds / 2
            while seconds() < end {
                let start = seconds()
                _ = try client.call(request)
                samples.add(seconds() - start)
            }
            figure.addRound(samples.median * 1e3, yardstick: least.median * 1e3, cores: try meter.read())
        }
        try daemon.stop()
        return [figure]
    }

    /// The cursor of a page with many pages before it and many after it.
    private static func inTheMiddle(_ client: Client, of store: FilledStore) throws(Failure) -> String {
        var next: String?
        for _ in 0..<min(pagesBefore, store.count / 2 / page) {
            next = try client.call(.listNotes(limit: page, after: next)).required(Keys.next)
        }
        return next ?? ""
    }
}
