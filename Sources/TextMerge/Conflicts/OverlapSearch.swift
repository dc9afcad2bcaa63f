import BitCollections
import Causality

/// The inputs of a search for edits that touch the newest revision's edits.
struct OverlapSearch {
    let newest: Int
    let reader: Reader
    /// The rivals, by number, whose edits may be in conflict with the newest revision.
    let editors: BitSet
    /// The editors whose edits were found by the line diff.
    let found: BitSet
    /// The editors that are in conflict only where they are withdrawn.
    var over = BitSet()
    let rivals: Rivals
    /// What the search meets at each run, if it is one of many (`pair(withdrawn:)`).
    var table: OverlapTable?
}

/// The version of the revision that a search is for.
enum Reader {
    /// The version of a branch.
    case branch(Int)
    /// The revisions that count in the version.
    case counting(BitSet)

    /// Whether a revision counts in the version.
    func counts(_ ordinal: Int) -> Bool {
        guard case .counting(let counting) = self else { preconditionFailure("a branch has states of copies") }
        return ordinal == Copy.start || counting.contains(ordinal)
    }
}

/// An edit of a concurrent revision that the search met, identified by its footprint.
struct Candidate {
    let footprint: Int
    let ordinal: Int
    let number: Int
}

/// The edits that a search found to touch.
struct TouchingEdits {
    /// The first footprint that may touch.
    private let start: Int
    private var found = BitSet()
    /// The edits, in the order in which they were met.
    private(set) var candidates: [Candidate] = []

    /// - Parameter start: the first footprint that may touch.
    init(from start: Int) {
        self.start = start
    }

    func contains(_ candidate: Candidate) -> Bool { found.contains(candidate.footprint - start) }

    mutating func insert(_ candidate: Candidate) {
        if found.insert(candidate.footprint - start).inserted { candidates.append(candidate) }
    }
}

/// The concurrent revisions that a search has not separated from the edit yet.
struct ActiveRivals {
    private(set) var all: BitSet {
        didSet { isEmpty = all.isEmpty }
    }
    /// Those that are past an item that separates, and stay only until the end of a line.
    private(set) var barred = BitSet() {
        didSet { hasBarred = !barred.isEmpty }
    }
    /// Whether none is left.
    private(set) var isEmpty: Bool
    /// Whether one is barred.
    private(set) var hasBarred = false

    init(_ all: BitSet) {
        self.all = all
        isEmpty = all.isEmpty
    }

    /// - Parameter number: one that is barred.
    mutating func remove(barred number: Int) {
        all.remove(number)
        barred.remove(number)
    }

    mutating func remove(_ numbers: BitSet) {
        all.subtract(numbers)
        barred.subtract(numbers)
    }

    /// Bars revisions; those with found edits leave at once.
    mutating func bar(_ numbers: BitSet, found: BitSet) {
        let new = numbers.intersection(all)
        let leaving = new.intersection(found)
        all.subtract(leaving)
        barred.formUnion(new.subtracting(leaving))
    }
}
