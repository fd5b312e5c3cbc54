/** The attempts of a call, for receipts: stored only when there were several, or one that failed. */
export const SQL = `
  CREATE TABLE attempts (request_id TEXT PRIMARY KEY NOT NULL, attempts TEXT NOT NULL) STRICT, WITHOUT ROWID;
`;
