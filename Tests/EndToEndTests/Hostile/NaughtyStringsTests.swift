import NoteText
import NotesClient
import NotesModel
import NotesWire
import TestKit
import Testing

extension EndToEnd {
    @Suite struct NaughtyStringsTests {
        @Test func asTexts_areReturnedExactly() async throws {
            let strings = try ForeignTexts.naughtyStrings().map { ByteString(validUTF8: $0) }
            #expect(strings.count == 515)
            try await Bystander.watches { daemon in
                let client = try await daemon.client("naughty")
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for string in strings { group.addTask { try await asText(string, client) } }
                    try await group.waitForAll()
                }
                await client.close()
            }
        }

        private func asText(_ string: ByteString, _ client: NotesClient) async throws {
            do {
                let note = try await client.create(text: string.utf8).note
                #expect(try await client.note(.id(note.head.id)).text == string.utf8, "\(string)")
                #expect(!string.utf8.contains(0))
            } catch ClientError.refused(let error) {
                #expect(error.kind == .invalidParams && error.path == "params.text" && string.utf8.contains(0), "\(string)")
            }
        }

        @Test func asNames_areReturnedExactly_orRefusedByTheRules() async throws {
            let strings = try ForeignTexts.naughtyStrings().map { ByteString(validUTF8: $0) }
            try await Bystander.watches { daemon in
                let client = try await daemon.client("naughty")
                var taken: Set<ByteString> = []
                for string in strings {
                    do {
                        let note = try await client.create(text: [], name: string).note
                        #expect(Self.mayBeName(string) && taken.insert(string).inserted, "\(string)")
                        #expect(note.head.name?.bytes == string)
                        let found = try await client.note(.name(string))
                        #expect(found.head.id == note.head.id && found.head.name?.bytes == string, "\(string)")
                    } catch ClientError.refused(let error) {
                        let kind: ErrorKind =
                            string.utf8.contains(0) ? .invalidParams : taken.contains(string) ? .noteExists : .invalidName
                        #expect(error.kind == kind, "\(string): \(error.message)")
                        #expect(!Self.mayBeName(string) || taken.contains(string), "\(string): \(error.message)")
                    }
                }
                #expect(taken.count > 300)
                let listed = try await client.listAll().compactMap { $0.head.name?.bytes }
                #expect(listed == taken.sorted(), "lists are in the order of bytes")
                await client.close()
            }
        }

        /// The rules of `docs/protocol.md`.
        private static func mayBeName(_ string: ByteString) -> Bool {
            let parts = string.description.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            let hasControls = string.description.unicodeScalars.contains { $0.properties.generalCategory == .control }
            return !hasControls && string.utf8.count <= 1_024
                && parts.allSatisfy {
                    (1...255).contains($0.count) && !$0.elementsEqual(".".utf8) && !$0.elementsEqual("..".utf8)
                }
        }
    }
}
