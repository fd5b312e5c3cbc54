/** An index of the requests that failed, by their error code: without it, a code that few requests have makes the database read all of them. Most have none, and cost nothing. */
export const SQL = `
  CREATE INDEX requests_by_code ON requests (code, ended_at, id) WHERE code IS NOT NULL;
`;
