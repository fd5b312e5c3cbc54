/** The attempts of a call, for receipts: stored only when there were several, or one that failed. */
export const SQL = `
  CREATE TABLE attempts (request_id TEXT COLLATE "C" PRIMARY KEY, attempts TEXT NOT NULL);
`;
