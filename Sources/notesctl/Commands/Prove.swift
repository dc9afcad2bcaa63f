import ArgumentParser
import NotesClient
import NotesModel
import NotesProof
import NotesWire

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

struct Prove: NotesCommand {
    static let configuration = CommandConfiguration(
        commandName: "prove",
        abstract: "Find out whether the daemon keeps what the protocol promises.",
        discussion: """
            Examples:
              notesctl prove
              notesctl prove --seconds 600 --record history.txt
              notesctl prove --disturb 'systemctl --user kill -s KILL notesd'
              notesctl prove --judge history.txt --only G2,G6

            Writes, reads and watches over many connections at once, writes down what each was sent and told, and judges that by the \
            words of docs/protocol.md, section 7, alone. One line a guarantee: kept, BROKEN or not judged, and on how many \
            observations that rests. Of what is broken the fewest lines that show it follow. The exit code is 1 then.

            It makes notes of its own, whose names, where they have one, begin with prove-, touches no others, and deletes them at the \
            end, unless it is interrupted or the daemon stays away. They stay as deleted notes, as all do.

            G1 and half of G3 are judged only where the daemon is killed and started meanwhile: --disturb names a command that \
            does that, which is run now and then. Loss of power cannot be told from here, nor can two stores be compared.
            """)

    @OptionGroup var options: GlobalOptions

    @Option(help: ArgumentHelp("Ask for the same load again.", valueName: "number"))
    var seed: UInt64?

    @Option(help: ArgumentHelp("Go on for so long, in rounds.", valueName: "number"))
    var seconds: Int?

    @Option(help: ArgumentHelp("Writes in one round.", valueName: "number"))
    var writes = 1_500

    @Option(help: ArgumentHelp("How many write at once.", valueName: "number"))
    var clients = 6

    @Option(
        help: ArgumentHelp("What to judge, such as G1,G4.", valueName: "guarantees"),
        completion: .list(Guarantee.allCases.map(\.rawValue)))
    var only: String?

    @Option(help: ArgumentHelp("Run this now and then, by sh; it may kill the daemon and start it again.", valueName: "command"))
    var disturb: String?

    @Option(help: ArgumentHelp("Seconds without any line, after which what is waited for is given up.", valueName: "number"))
    var patience = 30

    @Option(
        help: ArgumentHelp("Write down what was sent and received, readable by you alone.", valueName: "file"),
        completion: .file())
    var record: String?

    @Option(help: ArgumentHelp("Judge what was written down so, and ask no daemon.", valueName: "file"), completion: .file())
    var judge: String?

    func perform() async throws {
        guard writes > 0, (1...64).contains(clients), patience > 0 else {
            throw Failure("--writes and --patience are 1 at least, --clients 1 to 64", .usage)
        }
        var proof = Proof(only: try guarantees())
        if let judge {
            proof.judge(try Recording(file: judge))
        } else {
            try prove(&proof)
        }
        Progress.clear()
        for line in proof.lines {
            if options.isForPrograms {
                try options.emit(line.json)
            } else {
                try Output.lines(line.text(Terminal.style))
            }
        }
        let broken = proof.lines.filter { $0.standing == .broken }.map(\.guarantee.rawValue)
        guard broken.isEmpty else {
            throw Failure(
                "\(broken.joined(separator: ", ")) \(broken.count == 1 ? "is" : "are") broken; what shows it stands above")
        }
    }

    private func guarantees() throws -> Set<Guarantee> {
        guard let only else { return Set(Guarantee.allCases) }
        return Set(
            try only.split(separator: ",").map { word in
                guard let guarantee = Guarantee(rawValue: word.uppercased()) else {
                    throw Failure("there is no guarantee \(SafeText.quoted(String(word))), but G1 to G10", .usage)
                }
                return guarantee
            })
    }

    /// Rounds until the time is over; each is judged for itself, so that no history grows without end.
    private func prove(_ proof: inout Proof) throws {
        let path = try options.socketPath()
        let seed = seed ?? UInt64.random(in: 1...999_999)
        let start = ContinuousClock.now
        var round: UInt64 = 0
        repeat {
            var load = Load.Options(socketPath: path, seed: seed &+ round, nonce: UInt64.random(in: .min ... .max))
            (load.writes, load.writers, load.patience) = (writes, clients, patience)
            let words = "seed \(seed &+ round)"
            load.progress = { Progress.show("\(words): \($0)") }
            if let disturb { Disturbance(disturb).join(&load) }
            let run = Load(load)
            if round == 0 { Output.explain(["\(words); notes under \(run.prefix)"]) }
            let history: Recording
            do {
                history = try run.run()
            } catch let fault as LoadFault {
                try write(run.history)
                throw Failure("cannot prove: \(fault.words); look with `notesctl status`", .noDaemon)
            } catch {
                try write(run.history)
                try? run.cleanUp()
                throw error
            }
            try write(history)
            proof.judge(history)
            try? run.cleanUp()
            round += 1
        } while !proof.isBroken && seconds.map { ContinuousClock.now - start < .seconds($0) } ?? false
    }

    /// The last round's: one that is broken is the last.
    private func write(_ history: Recording) throws {
        guard let record else { return }
        do {
            try Descriptor.open(Array(record.utf8), O_WRONLY | O_CREAT | O_TRUNC).writeAll(history.text)
        } catch {
            throw Failure("cannot write \(SafeText.line(record)): \(error.text)")
        }
    }
}

extension Recording {
    fileprivate init(file path: String) throws {
        let text: [UInt8]
        do {
            text = try Descriptor.open(Array(path.utf8), O_RDONLY).readAll()
        } catch {
            throw Failure("cannot read \(SafeText.line(path)): \(error.text)")
        }
        do {
            try self.init(parsing: text)
        } catch {
            throw Failure(
                "line \(error.line) of \(SafeText.line(path)) is none of a history; `prove --record` writes them", .badData)
        }
    }
}

/// A command that is run while the load goes.
private final class Disturbance {
    private let command: String
    private var process: pid_t?

    init(_ command: String) { self.command = command }

    func join(_ load: inout Load.Options) {
        load.disturb = { [self] in process = try Child.start(["sh", "-c", command]) }
        load.isDisturbed = { [self] in
            guard let process else { return false }
            guard let end = Child.endIfThere(process) else { return true }
            guard end.isSuccess else { throw Failure("the command of --disturb \(end.text); it has to end with 0") }
            self.process = nil
            return false
        }
    }
}

extension Proof.Line {
    var json: [UInt8] {
        var writer = JSONWriter()
        writer.object { line in
            line.member("guarantee", guarantee.rawValue)
            line.member("name", guarantee.words)
            line.member("standing", standing.rawValue)
            line.member("observations", observations)
            line.member("what", words)
            line.name("faults")
            line.array(of: faults) { writer, fault in
                writer.object { object in
                    object.member("what", fault.fault.words)
                    object.name("history")
                    object.array(of: fault.history.events) { $0.string(ByteString(String(decoding: $1.text, as: UTF8.self))) }
                }
            }
        }
        return writer.bytes
    }

    func text(_ style: Style) -> [String] {
        let mark =
            switch standing {
            case .kept: style.green("kept      ")
            case .broken: style.red("BROKEN    ")
            case .notJudged: style.yellow("not judged")
            }
        let name = DisplayWidth.fit("\(guarantee.rawValue) \(guarantee.words)", columns: 27)
        var lines = ["\(mark)  \(name)  \(SafeText.line(words))"]
        for (fault, history) in faults {
            lines.append("    " + style.bold(SafeText.line(fault.words)))
            lines += history.events.map { "      " + SafeText.line(Self.short($0.text)) }
        }
        if faultsCount > faults.count { lines.append("    and \(faultsCount - faults.count) more like that") }
        return lines
    }

    private static let lineBytesMax = 400

    private static func short(_ line: [UInt8]) -> String {
        let text = String(decoding: line.prefix(lineBytesMax), as: UTF8.self)
        return line.count > lineBytesMax ? text + "…" : text
    }
}
