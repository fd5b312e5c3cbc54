/** The sums of activity_hours once more by UTC day, so that a question about many days reads a twenty-fourth of them. A day is written when it is over (decision 0082). */
const SUMS = ['requests', 'errors', 'refused', 'input', 'cached_input', 'cache_write', 'output', 'images', 'charged']
  .concat(['vendor_cost', 'costed', 'costed_charged'])
  .map((name) => `${name} INTEGER NOT NULL`)
  .join(', ');
/** Calls by the time to their first event, and by their whole time, as in activity_hours. */
const columns = (letter: string): string => Array.from({ length: 24 }, (_, index) => `${letter}${index} INTEGER NOT NULL`).join(', ');

export const SQL = `
  CREATE TABLE activity_days (
    day INTEGER NOT NULL,
    model TEXT NOT NULL,
    upstream TEXT NOT NULL,
    operation TEXT NOT NULL,
    code TEXT NOT NULL,
    ${SUMS},
    ${columns('f')},
    ${columns('t')},
    PRIMARY KEY (day, model, upstream, operation, code)
  ) STRICT, WITHOUT ROWID;
`;
