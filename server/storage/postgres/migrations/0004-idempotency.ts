/** Answers by idempotency key, on PostgreSQL. */
export const SQL = `
  CREATE TABLE idempotency (
    account_id TEXT COLLATE "C" NOT NULL,
    idempotency_key TEXT COLLATE "C" NOT NULL,
    fingerprint TEXT NOT NULL,
    request_id TEXT COLLATE "C" NOT NULL,
    node TEXT COLLATE "C" NOT NULL,
    created_at BIGINT NOT NULL,
    content_type TEXT,
    answer BYTEA,
    PRIMARY KEY (account_id, idempotency_key)
  );
  CREATE INDEX idempotency_by_age ON idempotency (created_at);
`;
