import TestKit

/// One step of a simulation. It is self-contained: indices are taken modulo the number of existing
/// items when the step runs, so any subsequence of a list of steps is valid. This allows failures
/// to be shrunk.
struct SimStep: Hashable, CustomStringConvertible {
    enum Kind: String, CaseIterable {
        case read, create, save, edit, delete, rename, resolve, undo, resend, goBack, roam
        case send, deliver, lose, double, cut, reverse
        case restart, copy, restore, clone, check
    }

    let kind: Kind
    /// The seed for random choices during the step.
    let salt: UInt64

    var description: String { "\(kind.rawValue) \(salt)" }

    /// The relative frequency of each kind. A seed omits some kinds and favours others, so that
    /// some seeds reach states that occur only when, for example, no client reads or messages are
    /// only ever cut.
    private static let weights: [Kind: Int] = [
        .read: 10, .create: 2, .save: 12, .edit: 8, .delete: 1, .rename: 2, .resolve: 2, .undo: 4, .resend: 1, .goBack: 4,
        .roam: 4,
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

/// A deliberate fault, to test that the checker detects it.
enum SimFault: String, CaseIterable {
    /// The response returns the version of the merged text instead of the writer's own.
    case answersEverything
    /// A restored or cloned store continues with the replica id and counter of its copy.
    case keepsRunID
    /// A revision that arrives before its parents is dropped but recorded as present.
    case dropsWaiting
    /// A revision is placed above everything the store knows instead of above its parents.
    case adoptsOntoNewest
}
