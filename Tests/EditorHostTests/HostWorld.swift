import Causality
import EditSession
import Foundation
import NoteTasks
import NoteText
import NotesMethods
import NotesModel
import NotesWire
import SessionTestKit
import StrictJSON
import TestKit
import TextMerge

@testable import EditorHost

/// A host with one note of a daemon, and the lines that it sent to the editor.
struct HostWorld {
    var host = EditorHost(writer: "0a1b2c3d")
    var daemon: OneNoteDaemon
    var now = Duration.zero
    var isUp = true
    var isDiskFull = false
    /// Requests for the daemon that it has not handled.
    var requests: [HostAction] = []
    /// What the host sent and the editor has not taken.
    var sent: [[UInt8]] = []
    var drafts: [NoteID: [UInt8]] = [:]
    private var watching: Set<EditorHost.Key> = []

    init(text: String = "milk\nbread\n") { daemon = OneNoteDaemon(text) }

    mutating func give(_ event: HostEvent) {
        for action in host.receive(event, at: now) {
            switch action {
            case .send(let line): sent.append(line)
            case .sendAfterDraft(_, let kept, let failed): sent.append(isDiskFull ? failed : kept)
            case .connect: give(.daemon(isUp ? Self.hello : nil))
            case .keepDraft(let note, _, let text, _): if !isDiskFull { drafts[note] = text }
            case .removeDraft(let note): drafts[note] = nil
            default: requests.append(action)
            }
        }
    }

    static var hello: HelloResult {
        HelloResult(
            server: ClientInfo(name: "notesd", version: "1"), store: ReplicaID(bits: 7), replica: ReplicaID(bits: 7),
            dependent: DependentID(1), user: UserInfo(uid: 1, name: "ada"), access: .write, positionEncoding: .utf8,
            limits: WireLimits(), cursor: Cursor(CommitPosition(sequence: 1, replica: ReplicaID(bits: 7))))
    }

    mutating func say(_ line: String) { give(.line(.line(Array(line.utf8)))) }

    /// The daemon handles the oldest request.
    mutating func serve() {
        guard isUp, !requests.isEmpty else { return }
        let before = daemon.note.version
        switch requests.removeFirst() {
        case .open(let key, .id(OneNoteDaemon.id), nil): give(.opened(key, .success(OpenedNote(note: daemon.object()))))
        case .open(let key, _, _):
            give(.opened(key, .failure(.refused(WireError(.noteNotFound, "no such note")))))
        case .watch(let key, _):
            watching.insert(key)
            give(.watching(key))
            give(.noted(key, daemon.object(), .watched(daemon.object())))
        case .unwatch(let key): watching.remove(key)
        case .write(let key, let number, let write):
            do throws(WireError) {
                give(.session(key, .written(number, try daemon.write(write))))
            } catch {
                give(.session(key, .refused(number, error)))
            }
            announce(from: before, besides: key)
        case .read(let key, _, let number, let read):
            do throws(WireError) {
                let note = try daemon.read(read)
                if case .newest = read {
                    give(.noted(key, note, .read(number, note)))
                } else {
                    give(.session(key, .read(number, note)))
                }
            } catch {
                give(.session(key, .refused(number, error)))
            }
        case .forward(let id, _, _), .rename(let id, _, _, _, _), .delete(let id, _, _, _):
            give(.respond(HostLines.result(id)))
        default: break
        }
    }

    private mutating func announce(from before: Version, besides writer: EditorHost.Key?) {
        guard daemon.note.version != before else { return }
        for key in watching where key != writer { give(.noted(key, daemon.object(), .watched(daemon.object()))) }
    }

    /// Another program saves the note.
    mutating func save(_ text: String) {
        let before = daemon.note.version
        _ = try? daemon.write(.save(SaveNote(id: OneNoteDaemon.id, base: before, text: Array(text.utf8))))
        announce(from: before, besides: nil)
    }

    mutating func settle() {
        for _ in 0..<400 {
            now += .milliseconds(100)
            give(.clock)
            serve()
        }
    }

    /// Takes the lines that were sent, as values.
    mutating func take() -> [JSONValue] {
        defer { sent = [] }
        return sent.compactMap { try? JSONDocument(parsing: Array($0.dropLast()), depthMax: 32).root }
    }
}

extension [JSONValue] {
    /// The params of the notifications of a method.
    func params(of method: String) -> [String] {
        filter { $0["method"]?.string?.description == method }.map { $0["params"]?.json ?? "" }
    }
}

extension JSONValue {
    /// The value as text.
    var json: String { String(decoding: source, as: UTF8.self) }
}
