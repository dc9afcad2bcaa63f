import TestKit

/// One step of a simulation. It says all that it needs by itself: places are taken modulo what exists when it is done, so any
/// part of a list of steps is a list of steps, which is what makes a failure small.
struct SimStep: Hashable, CustomStringConvertible {
    enum Kind: String, CaseIterable {
        case read, create, save, edit, delete, rename, resolve, resend, goBack, roam
        case send, deliver, lose, double, cut, reverse
        case restart, copy, restore, clone, check
    }

    let kind: Kind
    /// What is drawn while the step is done is drawn from here.
    let salt: UInt64

    var description: String { "\(kind.rawValue) \(salt)" }

    /// How often each kind comes, where all come. A seed leaves some out and has others more often, so that what happens only
    /// where, say, nobody reads or messages are only ever cut has its seeds too.
    private static let weights: [Kind: Int] = [
        .read: 10, .create: 2, .save: 12, .edit: 8, .delete: 1, .rename: 2, .resolve: 2, .resend: 1, .goBack: 4, .roam: 4,
        .send: 12, .deliver: 8, .lose: 2, .double: 2, .cut: 6, .reverse: 3,
        .restart: 1, .copy: 3, .restore: 3, .clone: 2, .check: 1,
    ]

    static func list(seed: UInt64) -> [SimStep] {
        var random = SeededGenerator(seed: seed)
        var bag: [Kind] = []
        for kind in Kind.allCases {
            let factor = random.pick([0, 1, 1, 1, 3])
            bag += Array(repeating: kind, count: (weights[kind] ?? 1) * (kind == .save ? max(1, factor) : factor))
        }
        return (0..<20 + random.below(80)).map { _ in SimStep(kind: random.pick(bag), salt: random.next() >> 40) }
    }
}

/// What is done wrong on purpose, to see that the judge sees it.
enum SimFault: String, CaseIterable {
    /// A writer is answered the version of everything that the note shows.
    case answersEverything
    /// A store that is restored or cloned goes on under the id and the counter of its copy.
    case keepsRunID
    /// A revision that comes before its parents is thrown away, and thought to be there.
    case dropsWaiting
    /// A revision is put above all that the store knows, instead of above its parents.
    case adoptsOntoNewest
}
