/** Sessions of browsers and tokens of set-up links, on PostgreSQL: few rows, each deleted when it ends. */
export const SQL = `
  CREATE TABLE sessions (
    id TEXT COLLATE "C" PRIMARY KEY,
    kind TEXT NOT NULL CHECK (kind IN ('console', 'portal', 'console_setup', 'portal_setup')),
    hash BYTEA NOT NULL UNIQUE,
    key_id TEXT,
    created_at BIGINT NOT NULL,
    seen_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
  );
`;
