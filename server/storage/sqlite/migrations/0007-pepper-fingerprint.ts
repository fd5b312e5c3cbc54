/** The fingerprint of the pepper of the keys, in one row; the first gateway that starts on an older database writes it. */
export const SQL = `
  CREATE TABLE pepper_fingerprint (id INTEGER PRIMARY KEY CHECK (id = 1), fingerprint BLOB NOT NULL) STRICT;
`;
