import ArgumentParser
import Causality
import Console
import Dispatch
package import NoteTasks
import NoteText
import NotesClient
import NotesModel
import NotesWire
import Synchronization

/// Runs a `Browser` on the terminal: hands it keys, events and the time, performs its requests, and
/// draws it.
package struct BrowseDriver {
    private let options: GlobalOptions
    private let commands: any BrowserCommands
    private let inbox = BrowserInbox()
    private let drafts = NoteDrafts()
    private let reports = BrowseReports()
    private let began = ContinuousClock.now

    /// Time after which the screen is drawn again for the ages in it.
    private static let tick = Duration.seconds(20)

    package init(options: GlobalOptions, commands: any BrowserCommands) {
        self.options = options
        self.commands = commands
    }

    private var now: Duration { .now - began }

    /// Runs the program until the user quits, a signal ends it or the terminal is gone.
    package func run() async throws {
        var clientOptions = try options.clientOptions()
        clientOptions.reconnecting = Backoff()
        clientOptions.resending = .whatMayBeRepeated
        let client = try await NotesClient.connect(clientOptions)
        try await run(client)
        BrowseTerminal.endBySignal()
    }

    private func run(_ client: NotesClient) async throws {
        BrowseTerminal.enter()
        defer {
            BrowseTerminal.leave()
            reports.put()
            for failure in failures { Output.note(failure) }
            drafts.report()
        }
        let requests = BrowserRequests(client, inbox)
        defer { requests.cancel() }
        try await loop(requests)
    }

    /// Returns when the user quits, a signal ends the program or the terminal is gone. What is not saved
    /// has a draft then, and also if this throws.
    private func loop(_ requests: BrowserRequests) async throws {
        var browser = Browser(operations: IDGenerator(SystemRandomNumberGenerator()).operation())
        var keys = KeyMachine()
        var drawn: Grid?
        defer { keepDrafts(browser) }
        while !BrowseTerminal.isEnding {
            if BrowseTerminal.takeStale() {
                drawn = nil
                let size = BrowserEvent.resized(columns: Terminal.columns ?? 80, rows: Terminal.rows)
                if try await !handle(size, &browser, requests) { return }
            }
            let grid = BrowserScreen.grid(browser, now: Clock.now(), local: Clock.local, hasColours: Terminal.style.isOn)
            guard BrowseTerminal.write(GridDifference.bytes(from: drawn, to: grid)) else { return }
            drawn = grid
            let deadline = [browser.deadline, keys.deadline].compactMap { $0 }.min()
            guard let bytes = await Self.wait(for: deadline.map { $0 - now } ?? Self.tick) else { return }
            var events = keys.receive(bytes, at: now).map(BrowserEvent.key)
            if let key = keys.pass(to: now) { events.append(.key(key)) }
            for event in events + (try inbox.take()) + [.clock] {
                if try await !handle(event, &browser, requests) { return }
            }
        }
    }

    /// Waits for bytes of the terminal, as `BrowseTerminal.wait` does. The wait blocks its thread,
    /// which must not be one of Swift's.
    private static func wait(for time: Duration) async -> [UInt8]? {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(returning: BrowseTerminal.wait(for: time)) }
        }
    }

    /// Hands the browser an event and performs its requests. Returns false if the user quits.
    private func handle(_ event: BrowserEvent, _ browser: inout Browser, _ requests: BrowserRequests) async throws -> Bool {
        for request in browser.receive(event, at: now) {
            var sentence: String?
            switch request {
            case .quit:
                guard let refusal = reports.refusalToQuit(failures) else { return false }
                sentence = refusal
            case .suspend:
                keepDrafts(browser)
                BrowseTerminal.suspend()
            case .edit(let note):
                keepDrafts(browser)
                BrowseTerminal.leave()
                sentence = await command(
                    "edit", or: "nothing changed, so nothing was saved", saved: "saved; u in the list undoes it"
                ) {
                    try await commands.edit(note)
                }
                BrowseTerminal.enter()
            case .openFile(let file):
                sentence = await command("file open", or: "a copy is open; what you change in it is not saved") {
                    try await commands.open(file)
                }
            case .delete(let head):
                sentence = await command("rm", or: "") { try await commands.delete(head) }
                // `rm` names the command that brings a deleted note back; here a key does.
                if sentence?.hasPrefix("deleted ") == true {
                    sentence = "deleted \(SafeText.line(NoteLabel.of(head))); u brings it back"
                }
            case .undo(let note):
                sentence = await undo(note)
            case .keepDraft(let head, let text, let base): sentence = keep(head, text, base: base)
            case .removeDraft(let note): drafts.remove(note)
            case .resumeDraft(let note): sentence = await resume(note)
            case .findDrafts(let note, let text):
                guard let found = Self.draft(of: note, besides: text) else { break }
                if try await !handle(found, &browser, requests) { return false }
            case .create(let name):
                guard let head = await create(name, &sentence) else { break }
                if try await !handle(.created(head), &browser, requests) { return false }
            case .rename(let head, let name):
                let renamed = "renamed \(SafeText.line(NoteLabel.of(head))) to \(SafeText.line(name)); u undoes it"
                sentence = await command("mv", or: renamed, saved: renamed) {
                    try await commands.rename(head.id, to: name)
                }
            case .resolve(let note, let resolution):
                let resolved = "\(resolution.sentence(over: note)); u undoes it"
                sentence = await command("resolve", or: resolved, saved: resolved) {
                    try await commands.resolve(note, resolution)
                }
            case .resolveInEditor(let note, let conflict):
                keepDrafts(browser)
                BrowseTerminal.leave()
                sentence = await command("resolve", or: "resolved", saved: "saved what the editor wrote; u undoes it") {
                    try await commands.resolveInEditor(note, conflict)
                }
                BrowseTerminal.enter()
            case .list, .search, .count, .watch, .history, .difference, .links, .resolveLink, .tags, .conflicts, .write, .read,
                .presence:
                requests.perform(request)
            }
            if let sentence { _ = browser.receive(.ended(sentence), at: now) }
        }
        return true
    }

    /// Undoes the user's newest change of a note, and says what that was.
    private func undo(_ note: NoteID) async -> String {
        let change = Mutex("")
        let said = await command("undo", or: "undone") {
            try await commands.undo(note) { revision, history in
                let name = history.revisions.lazy.compactMap(\.name).first.map { SafeText.line($0.description) } ?? "the note"
                let sentence = "undid \(ChangeWords(history.revisions).noun(revision, of: name))"
                change.withLock { $0 = sentence }
                return sentence
            }
        }
        // `undo` writes before the sentence how the note was called, here by its id.
        let sentence = change.withLock { $0 }
        guard !sentence.isEmpty, let start = said.firstRange(of: sentence)?.lowerBound else { return said }
        return String(said[start...])
    }

    /// Writes the texts that are not saved to drafts.
    private func keepDrafts(_ browser: Browser) {
        for unsaved in browser.unsaved { _ = keep(unsaved.head, unsaved.text, base: unsaved.base) }
    }

    /// Writes a text to the note's draft. Returns nil, or a sentence that says why that failed.
    private func keep(_ head: Head, _ text: [UInt8], base: Version) -> String? {
        try? drafts.keep(head.id, text, base: base, name: NoteLabel.of(head))
        return drafts.failures[head.id]
    }

    /// Why the newest texts of some notes are in no draft.
    private var failures: [String] { drafts.failures.values.sorted() }

    /// The message about a draft that another program left of a note; nil if there is none.
    private static func draft(of note: NoteID, besides text: [UInt8]) -> BrowserEvent? {
        guard let folder = StateFolder.made() else { return nil }
        let left = KeptDraft.left(of: [.note(note)], besides: text, in: folder)
        guard let first = left.first(where: \.isKnown) ?? left.first else { return nil }
        let way = first.isKnown ? "in the note, you go on with its text, which is" : "its last text is"
        let sentence = "an earlier edit of this note was interrupted; \(way) in \(SafeText.line(first.path))"
        return .draftFound(note, sentence, isTakenUp: first.isKnown)
    }

    /// Saves the text of a draft that another program left.
    private func resume(_ note: NoteID) async -> String {
        await command("save", or: "the text of the interrupted edit is in the note; u in the list undoes this") {
            let drafts = try await options.withClient { client in
                try await NoteOpening(client: client).takeUp(try await client.note(.id(note)))
            }
            if drafts.taken == .conflicted { Output.note("\(Outcome.Kind.conflicted.sentence); u in the list undoes this") }
            guard drafts.taken == nil else { return }
            guard let path = drafts.others.first else { throw ExitFailure("no interrupted edit left a text of this note") }
            throw ExitFailure("nobody knows what the text in \(SafeText.line(path)) is based on; compare it with the note")
        }
    }

    /// Creates an empty note; nil, with the reason in `sentence`, if that fails.
    private func create(_ name: NoteName?, _ sentence: inout String?) async -> Head? {
        let made = Mutex<Head?>(nil)
        let said = await command("new", or: "") {
            let head = try await options.withClient { client in
                if let name { try await NameCheck.refuseBeginningOfID("\(name)", client) }
                do {
                    return try await client.begin(text: [], name: name?.bytes, at: Clock.now()).note.head
                } catch {
                    throw explained(error, "cannot create the note")
                }
            }
            made.withLock { $0 = head }
        }
        if !said.isEmpty { sentence = said }
        return made.withLock { $0 }
    }

    /// Runs a command of notesctl as an operation of its own, and returns what it reports.
    ///
    /// - Parameters:
    ///   - name: the command's name in the log of operations.
    ///   - silence: the sentence for a command that reports nothing.
    ///   - saved: the sentence for a command that reports first that it saved a note; others follow.
    private func command(
        _ name: String, or silence: String, saved: String? = nil, _ body: () async throws -> Void
    ) async -> String {
        let hold = Output.Hold()
        var failure: String?
        do {
            try await Output.$hold.withValue(hold) {
                try await OperationLog.$part.withValue(OperationLog(command: name)) { try await body() }
            }
        } catch let error as ClientError {
            failure = ExitFailure(error).message
        } catch is ExitCode {
            // The command has reported a conflict.
        } catch {
            failure = BrowserRequests.sentence(error)
        }
        guard let failure else {
            guard let first = hold.texts.first else { return silence }
            guard let saved, first.hasPrefix(SaveReport.savedWord + " ") else { return first }
            // What else the command reports in one line, such as the repair of links.
            let more = hold.texts.dropFirst().filter { !$0.contains("\n") }.prefix(2)
            return ([saved] + more).joined(separator: "; ")
        }
        // The command may have said where the user's text is, which comes first.
        if !hold.texts.isEmpty { (hold.texts + [failure]).forEach(reports.add) }
        return (hold.texts + [failure]).joined(separator: "; ")
    }
}
