/** Who was asked on the way to an answer, for receipts: only where it was more than one attempt, or one that failed. */
export const SQL = `
  CREATE TABLE attempts (request_id TEXT PRIMARY KEY NOT NULL, attempts TEXT NOT NULL) STRICT, WITHOUT ROWID;
`;
