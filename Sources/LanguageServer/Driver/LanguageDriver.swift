import Console
import FolderSync
import Glibc
package import NoteTasks
import NotesClient

/// Serves one editor over standard input and output: hands a `LanguageSession` the editor's messages, the
/// answers and the time, and performs its actions.
package struct LanguageDriver {
    private let options: GlobalOptions
    private let inbox = LanguageInbox()
    private let folders = MirroredFolders()
    private let link: DaemonLink
    private let began = ContinuousClock.now

    package init(_ options: GlobalOptions) {
        self.options = options
        link = DaemonLink(options) { [inbox] event in
            switch event {
            case .up: inbox.put(.daemonUp)
            case .away(let reason): inbox.put(.daemonAway(reason: reason))
            case .changed: inbox.put(.notesChanged)
            }
        }
    }

    /// The label of the connection, `HOST/EDITOR/lsp`, which the history shows with the notes that it creates.
    private static func label(_ client: String) -> String {
        "\(ClientLabel.host)/\(ClientLabel.name(client, unnamed: "editor"))/lsp"
    }

    private var now: Duration { .now - began }

    /// Returns the exit status when the editor ends the server, or its input ends.
    package func run() async throws -> Int32 {
        // An editor that was killed reads no more; the end of the input follows.
        signal(SIGPIPE, SIG_IGN)
        inbox.readInput()
        var session = LanguageSession()
        var tasks: [LanguageRequestID: Task<Void, Never>] = [:]
        var timer: Task<Void, Never>?
        for await event in inbox.events {
            if case .answered(let id, _) = event { tasks[id] = nil }
            for action in session.receive(event, at: now) {
                switch action {
                case .send(let message): _ = Output.writeAll(message, to: STDOUT_FILENO)
                case .connect(let client): await link.connect(label: Self.label(client))
                case .ask(let id, let question, let scene): tasks[id] = ask(id, question, scene)
                case .cancel(let id): tasks.removeValue(forKey: id)?.cancel()
                case .check(let scene, let isNew): check(scene, isNew: isNew)
                case .exit(let code):
                    timer?.cancel()
                    await link.end()
                    return code
                }
            }
            inbox.handled(event)
            timer?.cancel()
            timer = session.deadline.map { deadline in
                Task { [inbox, time = max(.zero, deadline - now)] in
                    if (try? await Task.sleep(for: time)) != nil { inbox.put(.clock) }
                }
            }
        }
        return 0
    }

    private func ask(_ id: LanguageRequestID, _ question: LanguageQuestion, _ scene: LanguageScene) -> Task<Void, Never> {
        let answers = LanguageAnswers(link: link, folders: folders, scene: scene) { [inbox] in inbox.put(.notice($0)) }
        return Task.detached { [inbox] in
            do throws(LanguageFault) {
                inbox.put(.answered(id, .success(try await answers.answer(question))))
                if case .createNote(let name) = question, let uri = await answers.file(ofNew: name) {
                    inbox.put(.shown(uri: uri))
                }
            } catch {
                inbox.put(.answered(id, .failure(error)))
            }
        }
    }

    /// Finds the diagnostics of a document.
    ///
    /// - Parameter isNew: whether the user may have to know that the document or its folder is not mirrored.
    private func check(_ scene: LanguageScene, isNew: Bool) {
        guard let document = scene.document, let path = document.path else { return }
        let answers = LanguageAnswers(link: link, folders: folders, scene: scene)
        Task.detached { [inbox, folders] in
            var diagnostics: [UInt8]?
            do {
                if let here = try await answers.here(document) {
                    if isNew, await !folders.isRunning(here.place.folder) {
                        inbox.put(.notice(.mirrorStopped(folder: here.place.folder.realPath.pathForPeople)))
                    }
                    diagnostics = try await answers.diagnostics(here)
                } else {
                    inbox.put(.notice(.outside(path: path)))
                }
            } catch let failure as ExitFailure {
                inbox.put(.notice(.noRecord(reason: failure.message)))
            } catch {
                // The daemon refused a request, or was lost. The next change, or its return, leads to another check.
            }
            inbox.put(.checked(uri: document.uri, version: document.version, diagnostics))
        }
    }
}
