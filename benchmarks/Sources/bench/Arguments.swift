import Foundation

/// The command line.
struct Arguments {
    static let help = """
        usage: bench [options] [figure [FILE ...]] ...

        Measures the release build of notesd, each figure beside yardsticks of the same run. If none is named: what people would
        reach for instead, and how far the daemon should get beside it.

          saves                durable saves, beside Redis, PostgreSQL and the disk
          latency              save to answer and to notified, beside Redis and the disk
          fanout               deliveries to many watchers, beside Redis and a plain loop
          stopped              others' saves while many have stopped reading
          fairness             small requests beside floods, long notes, snapshots and exports
          store                many notes: creating, starting, memory, listing, catching up
          search               notes found by their words, beside grep; and what that costs those who save
          idle                 memory of connections that watch and hear nothing
          show                 a note shown in a shell, beside Redis

        And `all`: these, and what the daemon's parts cost:

          sizes, revisions, storms, blind
          merges [FILE]        three-way merges, beside `git merge-file`: of a file, with a table of what becomes of each, or of
                               a seed. The file has a JSON object a line: base, ours, theirs (null where the side removed the
                               text), path
          keystrokes [FILE ..] editing sessions to replay (default: the one that the end-to-end tests use, if it is there)

        Besides:

          flames               where the daemon's time goes under these loads, as flame graphs (needs perf), beside the JSON

        FILEs may be packed with gzip (.gz).

          --rounds N       rounds of each figure (default 9)
          --seconds S      how long a value is measured in a round (default 1)
          --notes N        notes in the large store (default 1000000)
          --searched N     notes in the store that is searched (default 100000)
          --watchers N     watchers of the fan-out (default 1000)
          --idle N         connections that watch and hear nothing (default 10000)
          --writes N       writes of each writer in a storm (default 2000)
          --bin DIR        where notesd and notesctl lie (default NOTESD_BIN_DIR, or the release build of the project)
          --directory DIR  where stores are made: on a disk (default NOTESD_BENCH_DIR, or /var/tmp)
          --trace FILE     the same as `keystrokes FILE`, but measures nothing by itself
          --json FILE      where the figures are written (default results.json beside the build); the chart is written beside
                           it, its name ending with .svg
        """

    enum Group: String, CaseIterable {
        case saves, latency, fanout, stopped, fairness, store, search, idle, show
        case sizes, revisions, storms, blind, merges, keystrokes
        case flames

        /// Those that stand beside what people would reach for instead.
        static let yardsticks: [Group] = [.saves, .latency, .fanout, .stopped, .fairness, .store, .search, .idle, .show]
    }

    private(set) var groups: [Group] = []
    private(set) var rounds = 9
    private(set) var roundSeconds = 1.0
    private(set) var notes = 1_000_000
    private(set) var searched = 100_000
    private(set) var watchers = 1_000
    private(set) var idle = 10_000
    private(set) var stormWrites = 2_000
    private(set) var bin = ProcessInfo.processInfo.environment["NOTESD_BIN_DIR"] ?? "\(project)/.build/release"
    private(set) var directory = ProcessInfo.processInfo.environment["NOTESD_BENCH_DIR"] ?? "/var/tmp"
    private(set) var traces: [String] = []
    private(set) var merges: String?
    private(set) var json = "\(project)/benchmarks/.build/results.json"

    init(_ words: [String]) throws(Failure) {
        var rest = words[...]
        while let word = rest.popFirst() {
            guard word.hasPrefix("--") else {
                try take(word)
                continue
            }
            guard let value = rest.popFirst() else { throw Failure("\(word) needs a value\n\n\(Self.help)") }
            switch word {
            case "--rounds": rounds = try Self.number(value, of: word, least: 1)
            case "--seconds": roundSeconds = try Self.number(value, of: word, least: 0.01)
            case "--notes": notes = try Self.number(value, of: word, least: 1_000)
            case "--searched": searched = try Self.number(value, of: word, least: 1_000)
            case "--watchers": watchers = try Self.number(value, of: word, least: 1)
            case "--idle": idle = try Self.number(value, of: word, least: 100)
            case "--writes": stormWrites = try Self.number(value, of: word, least: 100)
            case "--bin": bin = value
            case "--directory": directory = value
            case "--trace": traces.append(value)
            case "--json": json = value
            default: throw Failure("there is no option `\(word)`\n\n\(Self.help)")
            }
        }
        if groups.isEmpty { groups = Group.yardsticks }
        if traces.isEmpty { traces = Array(Self.knownTraces.filter { FileManager.default.fileExists(atPath: $0) }.prefix(1)) }
    }

    /// A figure, all of them, or a file that belongs to the figure before it.
    private mutating func take(_ word: String) throws(Failure) {
        if word == "all" {
            groups = Group.allCases.filter { $0 != .flames }
        } else if let group = Group(rawValue: word) {
            groups.append(group)
        } else {
            try take(file: word)
        }
    }

    private mutating func take(file: String) throws(Failure) {
        switch groups.last {
        case .merges where merges == nil: merges = file
        case .keystrokes: traces.append(file)
        default: throw Failure("there is no figure `\(file)`\n\n\(Self.help)")
        }
        guard FileManager.default.fileExists(atPath: file) else { throw Failure("there is no file `\(file)`") }
    }

    private static func number<Value: LosslessStringConvertible & Comparable>(
        _ text: String, of option: String, least: Value
    ) throws(Failure) -> Value {
        guard let value = Value(text), value >= least else {
            throw Failure("\(option) is a number from \(least) up, not `\(text)`")
        }
        return value
    }

    /// Where the chart is written.
    var chart: String { "\(json.hasSuffix(".json") ? String(json.dropLast(5)) : json).svg" }

    /// The root of the project that this program was built in.
    private static let project = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().path

    private static let knownTraces = ["json", "json.gz"].map {
        "\(project)/Tests/EndToEndTests/Fixtures/trace-sequential-friendsforever_flat.\($0)"
    }
}
