import Causality
import TestKit

/// Dots by their short names, separated by spaces.
func seen(_ names: String) -> Version {
    Version(names.split(separator: " ").map { dot(String($0)) })
}

extension Version {
    /// The text that `seen` reads.
    var names: String {
        dots.map { "\($0.replica.description.prefix(1).uppercased())\($0.counter)" }.joined(separator: " ")
    }
}

/// One store's revisions of one note, with the counter for its next dot.
struct Store {
    private(set) var graph = RevisionGraph()
    private var replica: ReplicaID
    private var counter: UInt64 = 0

    init(_ letter: Character) {
        replica = TestKit.replica(letter)
    }

    /// A write on the version that its writer saw; the writer's new version is in the response.
    @discardableResult
    mutating func put(_ base: String) -> Version {
        counter += 1
        return graph.put(Dot(replica, counter), base: seen(base))
    }

    mutating func sync(_ other: Store) {
        graph.sync(other.graph)
    }

    /// Continues as another run of the daemon, under a new id.
    mutating func restart(as letter: Character, after counter: UInt64 = 0) {
        replica = TestKit.replica(letter)
        self.counter = counter
    }

    var siblings: String { graph.siblings.names }
    var known: Set<Dot> { Set(graph.dots) }

    func covers(_ names: String, _ name: String) -> Bool {
        graph.covers(seen(names), dot(name))
    }
}

/// The definition in sets: each revision with its whole past. The graph is compared with it.
struct NaiveNote: Equatable {
    private(set) var pasts: [Dot: Set<Dot>] = [:]

    func closure(_ version: Version) -> Set<Dot> {
        version.dots.reduce(into: []) { $0.formUnion((pasts[$1] ?? []).union([$1])) }
    }

    /// The revisions that are in no other revision's past.
    func maximal(_ dots: Set<Dot>) -> Version {
        Version(dots.filter { dot in !dots.contains { pasts[$0]?.contains(dot) ?? false } })
    }

    var siblings: Version { maximal(Set(pasts.keys)) }

    mutating func put(_ dot: Dot, base: Version) {
        pasts[dot] = closure(base)
    }

    mutating func sync(_ other: NaiveNote) {
        pasts.merge(other.pasts) { left, _ in left }
    }
}

/// Three stores of one note that write and exchange at random, each as a graph and as sets.
struct RandomStores {
    private(set) var graphs = [RevisionGraph](repeating: RevisionGraph(), count: 3)
    private(set) var naive = [NaiveNote](repeating: NaiveNote(), count: 3)
    private var counters = [UInt64](repeating: 0, count: 3)
    var generator: SeededGenerator

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
    }

    /// Any version that the store may be queried about: some known dots, reduced or not.
    mutating func someVersion(of store: Int) -> Version {
        let dots = graphs[store].dots
        switch generator.below(4) {
        case 0: return graphs[store].siblings
        case 1: return .nothing
        case 2 where !dots.isEmpty: return Version(generator.pick(dots))
        default: return Version(dots.filter { _ in generator.chance(0.2) })
        }
    }

    /// A write, or one store receiving from another; returns the store that changed.
    mutating func step() -> Int {
        let store = generator.below(3)
        if generator.chance(0.7) {
            let base = someVersion(of: store)
            counters[store] += UInt64(1 + generator.below(3))
            let dot = Dot(replica(Array("ABC")[store]), counters[store])
            _ = graphs[store].put(dot, base: base)
            naive[store].put(dot, base: base)
        } else {
            let other = (store + 1 + generator.below(2)) % 3
            graphs[store].sync(graphs[other])
            naive[store].sync(naive[other])
        }
        return store
    }
}
