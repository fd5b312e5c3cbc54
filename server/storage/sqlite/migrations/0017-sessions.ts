/** Sessions of browsers and tokens of set-up links: few rows, each deleted when it ends. */
export const SQL = `
  CREATE TABLE sessions (
    id TEXT PRIMARY KEY,
    kind TEXT NOT NULL CHECK (kind IN ('console', 'portal', 'console_setup', 'portal_setup')),
    hash BLOB NOT NULL UNIQUE,
    key_id TEXT,
    created_at INTEGER NOT NULL,
    seen_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
  ) STRICT;
`;
