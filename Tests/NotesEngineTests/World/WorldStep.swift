import TestKit

/// One step of a world. It is self-contained: indices are taken modulo the number of existing items when
/// the step runs, so any subsequence of a list of steps is valid.
struct WorldStep: Hashable, CustomStringConvertible {
    enum Kind: String, CaseIterable {
        case read, create, save, edit, delete, rename, resolve, undo, resend, goBack, roam, purge
        case send, sync, lie
        case restart, kill, backUp, restore, clone, reidentify, compact, loseIndex
        case audit, search, list, watch, scrub, dropHeld
        case failDisk, freeDisk
        case saveFile, uploadFile, undoFile, deleteFile, purgeFile, rotFile, endFolder, failFolder, passDay

        /// The kinds for worlds with files.
        static let ofFiles: Set<Kind> = [
            .saveFile, .uploadFile, .undoFile, .deleteFile, .purgeFile, .rotFile, .endFolder, .failFolder, .passDay,
        ]
    }

    let kind: Kind
    /// The seed for random choices during the step.
    let salt: UInt64

    var description: String { "\(kind.rawValue) \(salt)" }

    private static let weights: [Kind: Int] = [
        .read: 8, .create: 3, .save: 12, .edit: 8, .delete: 1, .rename: 2, .resolve: 3, .undo: 4, .resend: 1, .goBack: 4,
        .roam: 6, .purge: 2,
        .send: 14, .sync: 4, .lie: 2,
        .restart: 1, .kill: 1, .backUp: 2, .restore: 1, .clone: 1, .reidentify: 1, .compact: 2, .loseIndex: 1,
        .audit: 1, .search: 2, .list: 2, .watch: 2, .scrub: 1, .dropHeld: 1,
        .failDisk: 2, .freeDisk: 2,
        .saveFile: 24, .uploadFile: 4, .undoFile: 6, .deleteFile: 3, .purgeFile: 5, .rotFile: 2, .endFolder: 3, .failFolder: 1,
        .passDay: 4,
    ]

    /// A seed omits some kinds and favours others, so that some worlds reach states that only occur without
    /// them. A world without purges, compaction or removals owes its readers more.
    static func list(seed: UInt64, hasFiles: Bool = false) -> [WorldStep] {
        var random = SeededGenerator(seed: seed)
        var bag: [Kind] = []
        for kind in Kind.allCases where hasFiles || !Kind.ofFiles.contains(kind) {
            // In most worlds, no disk fails.
            let factor = random.pick(kind == .failDisk ? [0, 0, 0, 1, 1, 2] : [0, 1, 1, 3])
            let isNeeded = kind == .save || kind == .create || kind == .send || hasFiles && (kind == .saveFile || kind == .sync)
            bag += Array(repeating: kind, count: (weights[kind] ?? 1) * (isNeeded ? max(1, factor) : factor))
        }
        return (0..<20 + random.below(80)).map { _ in WorldStep(kind: random.pick(bag), salt: random.next() >> 40) }
    }
}
