// NotesServerTests
