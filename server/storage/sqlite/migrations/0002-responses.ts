/** Stored responses, each with its input and output, so that a later call can continue from it. */
export const SQL = `
  CREATE TABLE responses (
    account_id TEXT NOT NULL,
    id TEXT NOT NULL,
    previous_id TEXT,
    upstream TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    input TEXT NOT NULL,
    response TEXT NOT NULL,
    PRIMARY KEY (account_id, id)
  ) STRICT, WITHOUT ROWID;

  CREATE INDEX responses_by_age ON responses (created_at);

  CREATE TABLE response_items (
    account_id TEXT NOT NULL,
    id TEXT NOT NULL,
    response_id TEXT NOT NULL,
    item TEXT NOT NULL,
    PRIMARY KEY (account_id, id),
    FOREIGN KEY (account_id, response_id) REFERENCES responses (account_id, id) ON DELETE CASCADE
  ) STRICT, WITHOUT ROWID;

  CREATE INDEX response_items_by_response ON response_items (account_id, response_id);
`;
