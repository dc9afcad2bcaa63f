import Foundation

/// The files of the user of one machine, in a directory of their own. The user's daemon has a peer with the name `there`.
struct UserFiles {
    let folder: Scratch

    init(_ context: Context) throws(Failure) {
        folder = try context.scratch()
        do {
            try FileManager.default.createDirectory(atPath: folder.path + "/run", withIntermediateDirectories: true)
        } catch {
            throw Failure("\(folder.path)/run cannot be created")
        }
    }

    private func environment(_ daemon: DaemonProcess, _ context: Context) -> [String] {
        let programs = URL(fileURLWithPath: context.control).deletingLastPathComponent().path
        return [
            "HOME=\(folder.path)", "XDG_CONFIG_HOME=\(folder.path)/config", "XDG_STATE_HOME=\(folder.path)/state",
            "XDG_RUNTIME_DIR=\(folder.path)/run", "NOTESD_SOCKET=\(daemon.socket)", "PATH=\(programs):/usr/bin:/bin",
        ]
    }

    /// Starts `notesctl peer add`, which ends after the first exchange.
    ///
    /// - Parameter address: The address of the peer.
    func add(_ address: String, to daemon: DaemonProcess, _ context: Context) throws(Failure) -> Child {
        try Child(
            [context.control, "peer", "add", "--yes", "--no-start", "there", address],
            environment: environment(daemon, context), output: folder.path + "/added")
    }

    /// Waits for the end of `peer add`.
    func finish(_ child: Child) throws(Failure) {
        let code = child.wait()
        guard code == 0 else {
            throw Failure("peer add ended with \(code): \(try ProcessFacts.text(folder.path + "/added").suffix(1_000))")
        }
    }

    /// Starts `notesctl sync`, which runs until it is ended.
    func sync(_ daemon: DaemonProcess, _ context: Context) throws(Failure) -> Child {
        try Child(
            [context.control, "sync", "there"], environment: environment(daemon, context), output: folder.path + "/log")
    }
}
