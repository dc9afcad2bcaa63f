import TestKit

/// A step of a simulated folder, of its daemon or of its mirror. Numbers select a file, a note or a line
/// of those that exist, so that a step without the steps before it still means something.
indirect enum MirrorStep: Sendable {
    /// How a program puts a text into a file.
    enum Way: CaseIterable, Sendable {
        case inPlace, byRename, byExchange
    }

    // Programs in the folder.
    case make(name: Int, lines: Int)
    case change(file: Int, line: Int, Way)
    case load(editor: Int, file: Int)
    /// An editor saves what it loaded with one more line; or without one of its lines.
    case save(editor: Int, line: Int, isDeletion: Bool, Way)
    /// A program begins to write a file in place, and ends.
    case begin(file: Int)
    case finish
    case remove(file: Int)
    case rename(file: Int, name: Int)
    case replace(file: Int, other: Int)
    case exchange(file: Int, other: Int)
    case rotate(file: Int, count: Int)
    // Clients of the daemon.
    case create(name: Int)
    case insert(note: Int, line: Int)
    case delete(note: Int, line: Int)
    case renameNote(note: Int, name: Int)
    case removeNote(note: Int)
    // The mirror and the daemon.
    /// A run, with steps of others before its calls, killed before or after one of its calls.
    case run(between: [Int: MirrorStep], killedAt: Int?, isBeforeCall: Bool)
    case restartMirror
    case restartDaemon
    /// All files go for some runs, as if the disk were not mounted, and come back.
    case unmounted

    static let names = 7

    static func random(_ random: inout SeededGenerator) -> MirrorStep {
        switch random.below(100) {
        case 0..<40:
            var between: [Int: MirrorStep] = [:]
            if random.chance(0.4) {
                for _ in 0...random.below(2) { between[random.below(12)] = other(&random) }
            }
            return .run(between: between, killedAt: random.chance(0.2) ? random.below(12) : nil, isBeforeCall: random.chance(0.3))
        case 40: return .restartMirror
        case 41: return random.chance(0.1) ? .restartDaemon : .restartMirror
        case 42: return .unmounted
        default: return other(&random)
        }
    }

    /// A step of a program or of a client.
    private static func other(_ random: inout SeededGenerator) -> MirrorStep {
        func number() -> Int { random.below(1_000) }
        func way() -> Way { random.pick(Way.allCases) }
        switch random.below(32) {
        case 0..<3: return .make(name: number(), lines: 1 + random.below(3))
        case 3..<7: return .change(file: number(), line: number(), way())
        case 7..<10: return .load(editor: random.below(3), file: number())
        case 10..<14: return .save(editor: random.below(3), line: number(), isDeletion: random.chance(0.3), way())
        case 14: return .begin(file: number())
        case 15: return .finish
        case 16: return .remove(file: number())
        case 17..<19: return .rename(file: number(), name: number())
        case 19: return .replace(file: number(), other: number())
        case 20: return .exchange(file: number(), other: number())
        case 21: return .rotate(file: number(), count: 2 + random.below(3))
        case 22..<24: return .create(name: number())
        case 24..<28: return .insert(note: number(), line: number())
        case 28: return .delete(note: number(), line: number())
        case 29..<31: return .renameNote(note: number(), name: number())
        default: return .removeNote(note: number())
        }
    }
}
