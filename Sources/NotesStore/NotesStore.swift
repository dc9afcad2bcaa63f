// NotesStore
