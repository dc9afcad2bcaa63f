import Console

/// The topics of `notesctl help`.
extension HelpTopic {
    static let all = [exitCodes, query, formats { fieldTable }, environment]

    /// The names of all topics, as an enumeration in a sentence.
    static var list: String {
        let names = all.map(\.name)
        return names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
    }

    /// The topic that the command line asks for; nil if it asks for something else.
    static func requested(_ words: [String]) -> HelpTopic? {
        guard words.count == 2, words[0] == "help" else { return nil }
        return all.first { $0.name == words[1] }
    }

    /// The fields of each kind of record, listed under the commands that print it.
    private static var fieldTable: String {
        var lines: [String] = []
        for (records, names) in writers {
            lines.append("\(names.joined(separator: ", ")):")
            lines += records.fields.map { "  " + DisplayWidth.fit($0.name, columns: 14) + $0.meaning }
            lines.append("")
        }
        return lines.dropLast().joined(separator: "\n")
    }

    /// Each kind of record with the commands that print it, in the order of the help.
    private static var writers: [(record: Record, commands: [String])] {
        var writers: [(record: Record, commands: [String])] = []
        for command in CommandTable.leaves {
            for record in command.type.records {
                if let index = writers.firstIndex(where: { $0.record.fields.map(\.name) == record.fields.map(\.name) }) {
                    writers[index].commands.append(command.name)
                } else {
                    writers.append((record, [command.name]))
                }
            }
        }
        return writers
    }
}
