/** Stored responses on PostgreSQL. Their JSON is stored as text, unchanged: JSONB refuses zero characters and loses the order of fields. */
export const SQL = `
  CREATE TABLE responses (
    account_id TEXT COLLATE "C" NOT NULL,
    id TEXT COLLATE "C" NOT NULL,
    previous_id TEXT COLLATE "C",
    upstream TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    input TEXT NOT NULL,
    response TEXT NOT NULL,
    PRIMARY KEY (account_id, id)
  );

  CREATE INDEX responses_by_age ON responses (created_at);

  CREATE TABLE response_items (
    account_id TEXT COLLATE "C" NOT NULL,
    id TEXT COLLATE "C" NOT NULL,
    response_id TEXT COLLATE "C" NOT NULL,
    item TEXT NOT NULL,
    PRIMARY KEY (account_id, id),
    FOREIGN KEY (account_id, response_id) REFERENCES responses (account_id, id) ON DELETE CASCADE
  );

  CREATE INDEX response_items_by_response ON response_items (account_id, response_id);
`;
