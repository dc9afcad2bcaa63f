// NotesEngine
