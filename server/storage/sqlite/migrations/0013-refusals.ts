/** Refused and failed requests, to be looked up by id: few, small, and deleted after some days. */
export const SQL = `
  CREATE TABLE refusals (
    id INTEGER PRIMARY KEY,
    request_id TEXT NOT NULL UNIQUE,
    created_at INTEGER NOT NULL,
    account_id TEXT,
    key_id TEXT,
    operation TEXT,
    model TEXT,
    status INTEGER NOT NULL,
    code TEXT NOT NULL,
    param TEXT,
    message TEXT NOT NULL,
    attempts TEXT NOT NULL
  ) STRICT;
`;
