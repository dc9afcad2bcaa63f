import NoteText
import NotesClient
import NotesModel
import NotesWire
import TestKit

/// Clients of the daemon.
extension MirrorWorld {
    private func note(_ number: Int) async throws -> NoteObject? {
        let notes = try await api.listAll().sorted { $0.head.id < $1.head.id }
        return notes.isEmpty ? nil : try await api.note(.id(notes[number % notes.count].head.id))
    }

    func performInDaemon(_ step: MirrorStep) async throws {
        func lines(_ note: NoteObject) -> [String] {
            String(decoding: note.text ?? [], as: UTF8.self).split(separator: "\n").map(String.init)
        }
        func text(_ lines: [String]) -> [UInt8] { bytes(lines.map { $0 + "\n" }.joined()) }
        do {
            switch step {
            case .create(let name):
                let line = line(byProgram: false)
                do {
                    _ = try await api.create(text: text([line]), name: ByteString(Self.name(name)))
                } catch {
                    removed.insert(line)
                    throw error
                }
            case .insert(let number, let place):
                guard let note = try await note(number) else { return }
                var lines = lines(note)
                lines.insert(line(byProgram: false), at: place % (lines.count + 1))
                _ = try await api.save(note.head.id, base: note.head.version, text: text(lines))
            case .delete(let number, let place):
                guard let note = try await note(number), lines(note).count > 1 else { return }
                var lines = lines(note)
                removed.insert(lines.remove(at: place % lines.count))
                _ = try await api.save(note.head.id, base: note.head.version, text: text(lines))
            case .renameNote(let number, let name):
                guard let note = try await note(number) else { return }
                _ = try await api.save(
                    SaveNote(id: note.head.id, base: note.head.version, name: .set(ByteString(Self.name(name)))))
            case .removeNote(let number):
                guard let note = try await note(number) else { return }
                removed.formUnion(lines(note))
                _ = try await api.delete(note.head.id, base: note.head.version)
            default: break
            }
        } catch ClientError.refused(let error) where error.kind == .noteExists {
            return
        }
    }
}
