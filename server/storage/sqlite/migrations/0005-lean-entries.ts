/** Entries without AUTOINCREMENT and without an unused index: rows are never removed, so rowids are never reused, and sums read whole books. */
export const SQL = `
  CREATE TABLE lean_entries (
    id INTEGER PRIMARY KEY,
    transfer TEXT NOT NULL,
    kind TEXT NOT NULL,
    book TEXT NOT NULL,
    amount INTEGER NOT NULL,
    note TEXT,
    created_at INTEGER NOT NULL
  ) STRICT;
  INSERT INTO lean_entries (id, transfer, kind, book, amount, note, created_at)
    SELECT id, transfer, kind, book, amount, note, created_at FROM entries ORDER BY id;
  DROP TABLE entries;
  ALTER TABLE lean_entries RENAME TO entries;
  CREATE UNIQUE INDEX entries_named ON entries (transfer, book) WHERE kind IN ('top_up', 'refund', 'correction');
  CREATE TRIGGER entries_are_final BEFORE UPDATE ON entries BEGIN SELECT raise(ABORT, 'entries are append-only'); END;
  CREATE TRIGGER entries_stay BEFORE DELETE ON entries BEGIN SELECT raise(ABORT, 'entries are append-only'); END;
`;
