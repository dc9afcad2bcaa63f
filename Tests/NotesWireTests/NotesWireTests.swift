// NotesWireTests
