// NotesEngineTests
