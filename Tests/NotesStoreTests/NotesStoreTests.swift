// NotesStoreTests
