// NotesClient
