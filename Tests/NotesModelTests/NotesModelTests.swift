// NotesModelTests
