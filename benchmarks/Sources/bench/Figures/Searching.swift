import Foundation
import Glibc

/// Search times, and the cost of the search index for writers.
enum Searching {
    /// Target for the p99 of a search, in milliseconds.
    private static let bound = 10.0

    static func measure(_ context: Context) throws(Failure) -> [Figure] {
        let count = context.searched
        let scratch = try context.scratch()
        let daemon = try context.daemon(in: scratch)
        let client = try daemon.client()
        var texts = SearchedTexts(count: count)
        let made = try create(count, &texts, on: client)
        let caughtUp = try awaitIndex(client)
        var figures = try found(context, client, daemon, among: count)
        figures[figures.count - 1].remarks.append(
            "\(count.formatted()) notes were created in \(Table.text(made)) s and indexed \(Table.text(caughtUp)) s later")
        try daemon.stop()
        let room = Scratch.bytes(below: "\(scratch.path)/store")
        let index =
            (try? FileManager.default.attributesOfItem(atPath: "\(scratch.path)/store/search.sqlite3"))?[.size] as? Int ?? 0
        var rooms = Figure("search index on disk, per note", .bytes, yardstick: "the store without it")
        rooms.addRound(Double(index) / Double(count), yardstick: Double(room - index) / Double(count))
        return figures + [rooms] + (try saves(context))
    }

    // MARK: - Searching

    private static func found(
        _ context: Context, _ client: Client, _ daemon: DaemonProcess, among count: Int
    ) throws(Failure) -> [Figure] {
        let folder = try context.scratch()
        _ = try Child.said([context.control, "export", "--socket", daemon.socket, folder.path + "/notes"])
        let grep = SearchPath.program("grep")
        let cases = SearchedTexts.queries(count)
        var figures: [Figure] = []
        for query in cases {
            let name = "search, \(query.name), among \(count.formatted()) notes"
            figures.append(
                Figure(
                    "\(name), p50", .milliseconds,
                    beside: Yardstick("grep -rlw over the same files", lack: grep == nil ? "grep is not in PATH" : nil)))
            figures.append(
                Figure("\(name), p99", .milliseconds, beside: Yardstick("\(Int(bound)) ms", reach: query.isBounded ? 1 : nil)))
        }
        for _ in 0..<context.rounds {
            for (index, query) in cases.enumerated() {
                var samples = Samples()
                let meter = try CoreMeter(of: daemon.pid)
                let end = seconds() + context.roundSeconds
                repeat {
                    let start = seconds()
                    _ = try client.call(.search(query.text))
                    samples.add(seconds() - start)
                } while seconds() < end
                let cores = try meter.read()
                var grepped: Measured?
                if let grep {
                    let start = seconds()
                    _ = try Child([grep, "-rlw", query.word, folder.path + "/notes"]).wait()
                    grepped = Measured(value: (seconds() - start) * 1e3)
                }
                figures[2 * index].addRound(Measured(value: samples.median * 1e3, cores: cores), beside: grepped)
                figures[2 * index + 1].addRound(Measured(value: samples.quantile(0.99) * 1e3), beside: Measured(value: bound))
            }
        }
        return figures
    }

    /// Waits for the first response to a search, which means that all notes are indexed. Returns
    /// the seconds.
    private static func awaitIndex(_ client: Client) throws(Failure) -> Double {
        let start = seconds()
        while true {
            try client.send(.search("common"))
            if try client.next().has(Keys.result) { return seconds() - start }
            guard seconds() - start < 3_600 else { throw Failure("the index is incomplete after an hour") }
            pause(seconds: 0.05)
        }
    }

    // MARK: - Saving

    /// Measures creating notes with and without an index, in turns. A directory in place of the
    /// index file disables it.
    private static func saves(_ context: Context) throws(Failure) -> [Figure] {
        var figure = Figure(
            "notes of 1,024 bytes created with a search index, \(FilledStore.inFlight) in flight", .perSecond,
            beside: Yardstick("the same without", reach: 0.8))
        let count = max(1_000, context.searched / 10)
        for round in 0..<context.rounds {
            var rates: [Measured] = []
            for hasIndex in round % 2 == 0 ? [true, false] : [false, true] {
                let scratch = try context.scratch()
                if !hasIndex {
                    let store = "\(scratch.path)/store"
                    guard mkdir(store, 0o700) == 0, mkdir("\(store)/search.sqlite3", 0o700) == 0 else {
                        throw Failure(call: "mkdir")
                    }
                }
                let daemon = try context.daemon(in: scratch)
                let client = try daemon.client()
                var texts = SearchedTexts(count: count)
                rates.append(
                    try Measured(of: daemon.pid) { () throws(Failure) in Double(count) / (try create(count, &texts, on: client)) }
                )
                try daemon.stop()
            }
            let (with, without) = round % 2 == 0 ? (rates[0], rates[1]) : (rates[1], rates[0])
            figure.addRound(with, beside: without)
        }
        return [figure]
    }

    /// Creates notes on one connection with 256 requests in flight. Returns the seconds.
    private static func create(_ count: Int, _ texts: inout SearchedTexts, on client: Client) throws(Failure) -> Double {
        let start = seconds()
        var (sent, made) = (0, 0)
        while made < count {
            if sent - made <= FilledStore.inFlight / 2, sent < count {
                let next = sent..<min(sent + FilledStore.inFlight / 2, count)
                var requests: [Request] = []
                for number in next {
                    requests.append(.createNote(json: texts.next(number), name: "bench/\(number / 1_000)/\(number).txt"))
                }
                try client.send(requests)
                sent = next.upperBound
            }
            _ = try client.next().result()
            made += 1
        }
        return seconds() - start
    }
}

/// Texts of 1,024 bytes with a natural distribution of word frequencies, and with words that occur
/// in a known number of notes.
struct SearchedTexts {
    struct Query {
        let name: String
        let text: String
        /// The rarest word of the query.
        let word: String
        /// Whether the query matches few enough notes for the target to apply.
        let isBounded: Bool
    }

    private static let wordsCount = 50_000
    private static let bytes = 1_024
    private static let wanted = [10, 1_000, 10_000]

    private let count: Int
    private var random = SeededRandom(seed: 1)
    private var words: [String] = []

    init(count: Int) {
        self.count = count
        for _ in 0..<Self.wordsCount {
            let letters = (0..<2 + random.below(9)).map { _ in UInt8(ascii: "a") + UInt8(random.below(26)) }
            words.append(String(decoding: letters, as: UTF8.self))
        }
    }

    /// A word that no other note contains by chance.
    private static func marker(_ wanted: Int) -> String { "marked\(wanted)notes" }

    static func queries(_ count: Int) -> [Query] {
        let some = wanted.filter { $0 <= count }
        return some.map { Query(name: "\($0.formatted()) match", text: marker($0), word: marker($0), isBounded: true) } + [
            Query(
                name: "\(some.last?.formatted() ?? "") match a word and one in all notes",
                text: "common \(marker(some.last ?? 0))", word: marker(some.last ?? 0), isBounded: true),
            Query(
                name: "1,000 match a phrase with a common word", text: "\\\"common \(marker(1_000))\\\"", word: marker(1_000),
                isBounded: true),
            Query(name: "1,000 match a prefix", text: "marked1000n*", word: marker(1_000), isBounded: true),
            Query(name: "all match, the newest 10,000 are ranked", text: "common", word: "common", isBounded: false),
        ]
    }

    /// The next text as a JSON string, of 1,024 bytes or more.
    mutating func next(_ number: Int, bytes: Int = Self.bytes) -> String {
        var text = "\"common"
        for wanted in Self.wanted where number % max(1, count / wanted) == 0 && number / max(1, count / wanted) < wanted {
            text += " " + Self.marker(wanted)
            if wanted != 10_000 { text += " common" }
        }
        while text.utf8.count < bytes {
            // Zipf's law: the word of rank r is 1/r as frequent as the first.
            let rank = Int(exp(Double.random(in: 0..<1, using: &random) * log(Double(Self.wordsCount)))) - 1
            text += " " + words[max(0, min(words.count - 1, rank))]
        }
        return text + "\\n\""
    }
}
