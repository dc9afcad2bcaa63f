import Console
package import NoteTasks
import NotesClient
import NotesModel
import NotesWire

/// Runs a mirror whenever something has changed, and prints what it did.
package struct MirrorLoop {
    let directory: String
    let options: GlobalOptions
    let signal: AsyncStream<Void>.Continuation
    let folder: FolderWatch

    /// The reasons that were printed last, by path.
    private var printed: [[UInt8]: String] = [:]
    /// What made the last run fail; nil if it did not.
    private var failure: String?
    private var isStarted = false
    private var isHeld = false
    private var isShortOfWatches = false
    /// The task that starts a run that is due although nothing changes.
    private var waiting: Task<Void, Never>?

    /// How long the loop collects changes before a run.
    private static let collecting = Duration.milliseconds(20)
    /// How soon a run that failed is repeated.
    private static let failurePause = Duration.seconds(2)
    /// How often a folder is scanned that the kernel cannot watch.
    private static let scanPause = Duration.seconds(10)
    /// How often a folder is scanned in any case.
    private static let longPause = Duration.seconds(3_600)

    package init(directory: String, options: GlobalOptions, signal: AsyncStream<Void>.Continuation, folder: FolderWatch) {
        (self.directory, self.options, self.signal, self.folder) = (directory, options, signal, folder)
        if let bell = MirrorBell.made() { folder.cover(bell, as: nil) }
    }

    /// Runs the mirror once. A failure is printed, and the run is repeated later.
    package mutating func run(_ mirror: inout FolderMirror) async throws {
        try await Task.sleep(for: Self.collecting)
        waiting?.cancel()
        var pause = Self.longPause
        var run = MirrorRun(of: mirror, MirrorReport(options: options, printed: printed))
        do {
            let notes = try await mirror.bringInStep(in: &run)
            let error = folder.error
            if let error {
                pause = Self.scanPause
                if !isShortOfWatches {
                    Output.note(
                        "cannot watch all folders of \(SafeText.line(directory)): \(SystemError.text(error)); scanning them")
                }
            }
            isShortOfWatches = error != nil
            try report(run.report, notes)
            failure = nil
            try mirror.keepState(notes, run.report)
        } catch {
            pause = Self.failurePause
            let message = Self.message(error)
            if failure != message { Output.note("\(SafeText.line(directory)) is not in step: \(message)") }
            failure = message
            // The record itself may be what failed.
            try? mirror.keepState(failure: message)
        }
        printed = run.report.reasons
        let due = run.due.map { max(.zero, $0 - .now) } ?? pause
        waiting = Task { [signal, pause = min(due, pause)] in
            if (try? await Task.sleep(for: pause)) != nil { signal.yield() }
        }
    }

    private mutating func report(_ report: MirrorReport, _ notes: MirrorTally) throws {
        if report[.held] > 0, !isHeld {
            Output.note(
                "\(counted(report[.held], "file is", plural: "files are")) gone from \(SafeText.line(directory)), or "
                    + "became empty; `notesctl mirror status \(Shell.quoted(directory))` lists them, and says how to approve that"
            )
        }
        isHeld = report[.held] > 0
        guard !options.isForPrograms, !isStarted || report.hasChanges else { return }
        isStarted = true
        let time = Clock.local(Clock.now())
        try Output.line("\(time.clock)  \(report.summary(notes: notes.notes, conflicts: notes.conflicts))")
    }

    private static func message(_ error: any Error) -> String {
        switch error {
        case let failure as ExitFailure: failure.message
        case let error as ClientError: ExitFailure(error).message
        default: "\(error)"
        }
    }
}
