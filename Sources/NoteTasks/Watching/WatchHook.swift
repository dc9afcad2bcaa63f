import Causality
import Console
import NoteText
package import NotesClient
import NotesModel
import NotesWire

/// `watch --exec`: runs a command for each change, one at a time.
package struct WatchHook {
    let command: String

    package init(command: String) {
        self.command = command
    }

    package func run(_ watch: NoteWatch, _ client: any NotesAPI) async throws {
        var labels = WatchLabels()
        for try await event in watch {
            guard case .changed(let change) = event else {
                if let sentence = event.sentence { Output.note(sentence) }
                continue
            }
            let label = await labels.label(of: change.note, client)
            do {
                try run(event, change, label: label)
            } catch let failure as ExitFailure {
                Output.note("\(SafeText.line(label)): \(failure.message)")
            }
        }
    }

    private func run(_ event: WatchEvent, _ change: NoteChanged, label: String) throws {
        // A nameless file rather than a pipe, so that a command that does not read it blocks
        // nothing.
        let input = try PrivateDirectory.scratch()
        do {
            try input.writeAll((WatchJSON.object(event) ?? []) + [UInt8(ascii: "\n")])
        } catch {
            throw ExitFailure("cannot pass the change to the command: \(error.text)")
        }
        input.rewind()
        let end = try Child.run(["sh", "-c", command], environment: Self.variables(change, label: label), input: input.number)
        if !end.isSuccess { Output.note("the command for \(SafeText.line(label)) \(end.text)") }
    }

    static func variables(_ change: NoteChanged, label: String) -> [String: String] {
        var variables = ["NOTESD_CHANGE": change.change.rawValue, "NOTESD_LABEL": label, "NOTESD_NAME": "", "NOTESD_BY": ""]
        switch change.note {
        case .shown(let note):
            variables["NOTESD_NOTE"] = note.head.id.description
            variables["NOTESD_VERSION"] = note.head.version.description
            variables["NOTESD_NAME"] = note.head.name?.description ?? ""
            variables["NOTESD_BY"] = (change.origin?.label ?? note.head.author.label ?? note.head.author.user).description
        case .left(let id, let version):
            variables["NOTESD_NOTE"] = id.description
            variables["NOTESD_VERSION"] = version.description
        }
        return variables
    }
}
