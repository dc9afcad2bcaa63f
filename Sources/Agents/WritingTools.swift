/// The definitions of the tools that change notes.
extension ToolDefinition {
    private static let changed = [
        ToolField.required("note", .text, "Id or name."),
        ToolField.required("version", .text, "As you read it."),
    ]

    /// The result of each change.
    private static let outcome: [ToolField] = [
        .required("id", .text), .required("version", .text),
        .required("outcome", .word(["saved", "merged", "conflicted", "unchanged"])),
    ]

    /// The result of a change of a text.
    private static let textOutcome: [ToolField] =
        outcome + [
            .required("repeated", .flag), .required("conflicts", .integer(.min ... .max)),
            .required("others", .text, "What was written since, as a diff."),
        ]

    static let createNote = ToolDefinition(
        ContextTool.createNote.rawValue, title: "Create a note", .writes,
        "Creates a note. If the name is taken, creates nothing and names the note that has it.",
        input: [.optional("name", .text, "Such as work/inbox."), .required("text", .text)],
        output: [.required("id", .text), .optional("name", .text), .required("version", .text)])

    static let createFile = ToolDefinition(
        ContextTool.createFile.rawValue, title: "Create a file", .writes,
        "Keeps a picture or other bytes as a note. If the name is taken, creates nothing.",
        input: [.required("name", .text, "Such as pics/plan.png."), .required("data", .text, "Base64.")],
        output: [.required("id", .text), .required("name", .text), .required("version", .text)])

    static let editNote = ToolDefinition(
        ContextTool.editNote.rawValue, title: "Change passages", .writes,
        """
        Replaces passages, all or none. Each old must occur exactly once, or count times, in the text at version. Others' \
        changes since are merged and shown.
        """,
        input: changed + [
            .required(
                "edits",
                .list(
                    .object([
                        .required("old", .text), .required("new", .text), .optional("count", .integer(1...Passages.countMax)),
                    ]), 1...ToolLimits.passagesMax))
        ],
        output: textOutcome)

    static let appendToNote = ToolDefinition(
        ContextTool.appendToNote.rawValue, title: "Append to a note", .writes,
        "Adds lines at the end of a note, or of the section under a heading.",
        input: changed + [.required("text", .text), .optional("under", .text, "The heading, without #.")], output: textOutcome)

    static let resolveConflict = ToolDefinition(
        ContextTool.resolveConflict.rawValue, title: "Resolve a conflict", .writes,
        "Takes a side of a conflict, or keeps both. Ask the user unless the choice is clear.",
        input: changed + [.required("conflict", .text), .required("take", .text, "A side, or both.")],
        output: outcome + [.required("conflicts", .integer(.min ... .max))])

    static let undoMyChanges = ToolDefinition(
        ContextTool.undoMyChanges.rawValue, title: "Undo my changes", .writes,
        "Undoes all that you wrote in this session, in one note or in all, and keeps what others wrote.",
        input: [.optional("note", .text, "Id or name. Default: all.")],
        output: [
            .required(
                "notes",
                .list(
                    .object([
                        .required("id", .text), .required("conflicts", .integer(.min ... .max)), .required("deleted", .flag),
                    ]), 0...Int.max)),
            .required("failed", .list(.text, 0...Int.max)),
        ])

    static let renameNote = ToolDefinition(
        ContextTool.renameNote.rawValue, title: "Rename a note", .removes, "Gives a note another name.",
        input: changed + [.required("name", .text)], output: outcome)

    static let deleteNote = ToolDefinition(
        ContextTool.deleteNote.rawValue, title: "Delete a note", .removes,
        "Deletes a note, unless others wrote to it since version. It can be brought back.", input: changed, output: outcome)
}
