/** The sums of activity_hours once more by UTC day, so that a question about many days reads a twenty-fourth of them. A day is written when it is over (decision 0082). */
const SUMS = ['requests', 'errors', 'refused', 'input', 'cached_input', 'cache_write', 'output', 'images', 'charged']
  .concat(['vendor_cost', 'costed', 'costed_charged'])
  .map((name) => `${name} BIGINT NOT NULL`)
  .join(', ');
/** Calls by the time to their first event, and by their whole time, as in activity_hours. */
const columns = (letter: string): string => Array.from({ length: 24 }, (_, index) => `${letter}${index} BIGINT NOT NULL`).join(', ');

export const SQL = `
  CREATE TABLE activity_days (
    day BIGINT NOT NULL,
    model TEXT COLLATE "C" NOT NULL,
    upstream TEXT COLLATE "C" NOT NULL,
    operation TEXT COLLATE "C" NOT NULL,
    code TEXT COLLATE "C" NOT NULL,
    ${SUMS},
    ${columns('f')},
    ${columns('t')},
    PRIMARY KEY (day, model, upstream, operation, code)
  );
`;
