import NoteTasks

/// Rewrites the command line into the form that the argument parser accepts.
enum Arguments {
    /// Moves the options that every command accepts from before the command to after it, so that
    /// `notesctl --socket PATH list` works although the parser wants `notesctl list --socket PATH`.
    /// Also turns `--json=id,name` into `--json --fields=id,name`, because the parser has no
    /// options with an optional value. Joins the text of `append --text` to the option, because the
    /// parser looks for `-h` even there. Leaves everything from `--` on unchanged.
    static func rewritten(_ words: [String]) -> [String] {
        let end = words.firstIndex(of: "--") ?? words.endIndex
        var own = words[..<end]
        let before = own.prefix(GlobalOptions.countBeforeCommand(own))
        if before.count < own.count {
            // Insert them directly after the command's name. At the end of the line, a last option
            // that lacks its value would consume one of them as its value.
            let rest = own.dropFirst(before.count)
            let command = rest.prefix(CommandTable.countOfName(in: rest))
            own = command + before + rest.dropFirst(command.count)
        }
        return joinedText(own).flatMap { word -> [String] in
            guard word.hasPrefix(jsonWithFields) else { return [word] }
            return ["--json", "--fields=" + word.dropFirst(jsonWithFields.count)]
        } + words[end...]
    }

    private static let jsonWithFields = "--json="

    /// The words of `append` with its option `--text` and the text after it as one word.
    private static func joinedText(_ words: ArraySlice<String>) -> ArraySlice<String> {
        guard words.first == "append", let option = words.firstIndex(where: { $0 == "-t" || $0 == "--text" }),
            words.index(after: option) < words.endIndex
        else { return words }
        let text = words.index(after: option)
        return words[..<option] + ["--text=" + words[text]] + words[words.index(after: text)...]
    }
}
