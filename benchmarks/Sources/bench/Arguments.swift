import Foundation

/// The parsed command line of `bench`.
struct Arguments {
    static let help = """
        usage: bench [options] [figure [FILE ...]] ...

        Measures the release build of notesd and compares each figure with yardsticks of the same run. If you name no figure,
        it measures these, which compare the daemon with alternatives and with its targets:

          saves                durable saves, compared with Redis, PostgreSQL, etcd and the disk
          latency              save to response and to notification, compared with Redis and the disk
          fanout               deliveries to many watchers, compared with Redis and a plain loop
          stopped              saves of one client while many others have stopped reading
          fairness             small requests during floods, long notes, old versions, snapshots and exports
          store                many notes: creating, starting, memory, listing, catching up
          search               searches, compared with grep; and what the index costs writers
          idle                 memory of connections that watch and receive nothing
          show                 `notesctl show`, compared with redis-cli
          links                links to a note, compared with grep, and a rename that repairs 1,000 links, with sed
          browse               `notesctl browse` on a terminal, compared with fzf and vim
          replication          two daemons in step: a first exchange, compared with rsync and git, and single saves
          agents               the undo of an author's writes in many notes, while another client saves
          purge                the purge of a note in a large store, while another client reads and saves
          mirror               `notesctl mirror --once` of 10,000 files, compared with import, export and cp

        `all` also measures a hub, and what the daemon's parts cost:

          hub                  two daemons in step through PostgreSQL, compared with COPY and NOTIFY
          floor                saves and latency, compared with the least program that does the same through SQLite
          sizes, revisions, storms, blind
          merges [FILE]        three-way merges, compared with `git merge-file`: from a file, with a table of the outcomes, or
                               from a seed. The file has one JSON object per line: base, ours, theirs (null if that side
                               removed the text), path
          keystrokes [FILE ..] editing sessions to replay (default: the one of the end-to-end tests, if present)

        Separately:

          flames               flame graphs of the daemon under these loads, next to the JSON (needs perf)

        Files may be compressed with gzip (.gz).

          --rounds N       rounds of each figure (default 9)
          --seconds S      seconds that a value is measured in a round (default 1)
          --notes N        notes in the large store (default 1000000)
          --searched N     notes in the searched, linked and browsed stores (default 100000)
          --purged N       megabytes of text in the store of the purged note (default 100)
          --watchers N     watchers of the fan-out (default 1000)
          --idle N         connections that watch and receive nothing (default 10000)
          --writes N       writes of each writer in a storm (default 2000)
          --bin DIR        directory of notesd and notesctl (default NOTESD_BIN_DIR, or the project's release build)
          --directory DIR  directory for stores, on a disk (default NOTESD_BENCH_DIR, or /var/tmp)
          --trace FILE     names a file like `keystrokes FILE`, but selects no figure
          --json FILE      file for the figures (default results.json in the build directory); the chart is written next to it
                           with the ending .svg
        """

    enum Group: String, CaseIterable {
        case saves, latency, fanout, stopped, fairness, store, search, idle, show, links, browse, agents, purge, mirror
        case replication
        case hub
        case floor, sizes, revisions, storms, blind, merges, keystrokes
        case flames

        /// The groups that compare the daemon with alternatives and targets: the default.
        static let yardsticks: [Group] = [
            .saves, .latency, .fanout, .stopped, .fairness, .store, .search, .idle, .show, .links, .browse, .agents,
            .purge, .mirror, .replication,
        ]
    }

    private(set) var groups: [Group] = []
    private(set) var rounds = 9
    private(set) var roundSeconds = 1.0
    private(set) var notes = 1_000_000
    private(set) var searched = 100_000
    private(set) var purged = 100
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
            case "--purged": purged = try Self.number(value, of: word, least: 1)
            case "--watchers": watchers = try Self.number(value, of: word, least: 1)
            case "--idle": idle = try Self.number(value, of: word, least: 100)
            case "--writes": stormWrites = try Self.number(value, of: word, least: 100)
            case "--bin": bin = value
            case "--directory": directory = value
            case "--trace": traces.append(value)
            case "--json": json = value
            default: throw Failure("unknown option `\(word)`\n\n\(Self.help)")
            }
        }
        if groups.isEmpty { groups = Group.yardsticks }
        if traces.isEmpty { traces = Array(Self.knownTraces.filter { FileManager.default.fileExists(atPath: $0) }.prefix(1)) }
    }

    /// Takes a figure, `all`, or a file that belongs to the preceding figure.
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
        default: throw Failure("unknown figure `\(file)`\n\n\(Self.help)")
        }
        guard FileManager.default.fileExists(atPath: file) else { throw Failure("file `\(file)` does not exist") }
    }

    private static func number<Value: LosslessStringConvertible & Comparable>(
        _ text: String, of option: String, least: Value
    ) throws(Failure) -> Value {
        guard let value = Value(text), value >= least else {
            throw Failure("\(option) needs a number of at least \(least), not `\(text)`")
        }
        return value
    }

    /// Path of the chart.
    var chart: String { "\(json.hasSuffix(".json") ? String(json.dropLast(5)) : json).svg" }

    /// Root of the project that contains this program's source.
    static let project = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().path

    private static let knownTraces = ["json", "json.gz"].map {
        "\(project)/Tests/EndToEndTests/Fixtures/trace-sequential-friendsforever_flat.\($0)"
    }
}
