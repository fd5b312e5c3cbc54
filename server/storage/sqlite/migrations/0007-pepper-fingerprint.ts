/** Which pepper the keys were made with, in one row; a database of before gets it from the first gateway that starts. */
export const SQL = `
  CREATE TABLE pepper_fingerprint (id INTEGER PRIMARY KEY CHECK (id = 1), fingerprint BLOB NOT NULL) STRICT;
`;
