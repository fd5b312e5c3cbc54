/** Answers by idempotency key: a repeated request gets the answer of the first. */
export const SQL = `
  CREATE TABLE idempotency (
    account_id TEXT NOT NULL,
    idempotency_key TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    request_id TEXT NOT NULL,
    node TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    content_type TEXT,
    answer BLOB,
    PRIMARY KEY (account_id, idempotency_key)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX idempotency_by_age ON idempotency (created_at);
`;
