/** Sessions of operators who signed in at an identity provider: they stand for a person, and `key_id` is null. */
export const SQL = `
  ALTER TABLE sessions ADD COLUMN issuer TEXT;
  ALTER TABLE sessions ADD COLUMN subject TEXT;
  ALTER TABLE sessions ADD COLUMN name TEXT;
  ALTER TABLE sessions ADD COLUMN role TEXT;
`;
