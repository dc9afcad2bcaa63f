import Foundation

/// `notesctl mirror --once`: the first contact in both directions, and a run that finds nothing to do;
/// and a mirror that runs.
enum Mirroring {
    private static let files = 10_000
    private static let filesInFolder = 500

    static func measure(_ context: Context) throws(Failure) -> [Figure] {
        var toNotes = Figure(
            "first contact, \(files.formatted()) files to notes", .milliseconds,
            beside: Yardstick("notesctl import", reach: 3), Yardstick("cp -r"))
        var toFiles = Figure(
            "first contact, \(files.formatted()) notes to files", .milliseconds,
            beside: Yardstick("notesctl export", reach: 3), Yardstick("cp -r"))
        var again = Figure(
            "mirror --once, \(files.formatted()) files, nothing changed", .milliseconds,
            beside: Yardstick("two seconds for 100,000 files, in proportion", reach: 1))
        for _ in 0..<context.rounds {
            let scratch = try context.scratch()
            let folder = "\(scratch.path)/folder"
            try fill(folder)
            let copying = try time(["/bin/cp", "-r", folder, "\(scratch.path)/copy"], Desk.environment(scratch))
            let importing = try Desk(context)
            let imported = try time([context.control, "import", folder], importing.environment)
            let exported = try time([context.control, "export", "\(importing.scratch.path)/exported"], importing.environment)
            let written = try time(
                [context.control, "mirror", "--once", "\(importing.scratch.path)/made"], importing.environment)
            try importing.daemon.stop()
            let desk = try Desk(context)
            let mirror = [context.control, "mirror", "--once", folder]
            let taken = try time(mirror, desk.environment)
            let repeated = try time(mirror, desk.environment)
            try desk.daemon.stop()
            toNotes.addRound(Measured(value: taken), beside: Measured(value: imported), Measured(value: copying))
            toFiles.addRound(Measured(value: written), beside: Measured(value: exported), Measured(value: copying))
            again.addRound(Measured(value: repeated), beside: Measured(value: 2_000 * Double(files) / 100_000))
        }
        let live = try Desk(context)
        let folder = "\(live.scratch.path)/folder"
        try fill(folder)
        let running = try LiveMirror.measure(
            folder, files: files, live.daemon, environment: live.environment, context)
        try live.daemon.stop()
        return [toNotes, toFiles, again] + running
    }

    /// A daemon, and the environment in which `notesctl` uses it.
    private struct Desk {
        let scratch: Scratch
        let daemon: DaemonProcess

        init(_ context: Context) throws(Failure) {
            scratch = try context.scratch()
            daemon = try context.daemon(in: scratch)
        }

        var environment: [String] { Self.environment(scratch) + ["NOTESD_SOCKET=\(daemon.socket)"] }

        static func environment(_ scratch: Scratch) -> [String] {
            ["HOME=\(scratch.path)", "XDG_STATE_HOME=\(scratch.path)/state", "PATH=/usr/bin:/bin"]
        }
    }

    private static func fill(_ folder: String) throws(Failure) {
        for number in 0..<files {
            let place = "\(folder)/\(number / filesInFolder)"
            if number % filesInFolder == 0 {
                try FileManager.default.makeFolder(place)
            }
            try write(String(repeating: "A line of file \(number) with a few words.\n", count: 25), to: "\(place)/\(number).md")
        }
    }

    private static func write(_ text: String, to path: String) throws(Failure) {
        guard FileManager.default.createFile(atPath: path, contents: Data(text.utf8)) else {
            throw Failure("\(path) cannot be written")
        }
    }

    /// Milliseconds of a command.
    private static func time(_ command: [String], _ environment: [String]) throws(Failure) -> Double {
        let start = seconds()
        let code = try Child(command, environment: environment).wait()
        guard code == 0 else { throw Failure("\(command.prefix(3).joined(separator: " ")) ended with \(code)") }
        return (seconds() - start) * 1e3
    }
}

extension FileManager {
    fileprivate func makeFolder(_ path: String) throws(Failure) {
        do { try createDirectory(atPath: path, withIntermediateDirectories: true) } catch {
            throw Failure("\(path) cannot be created: \(error)")
        }
    }
}
