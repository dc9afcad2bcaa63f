// NotesClientTests
