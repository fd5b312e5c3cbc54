/** All scenarios of the simulator as one list, for the header and the phrases; a test compares the docs with it. */

export type Scenario =
  | { readonly kind: 'error'; readonly status: number; readonly retryAfterSeconds: number | null }
  | { readonly kind: 'fail-twice'; readonly status: number }
  | { readonly kind: 'cut'; readonly events: number | null }
  | { readonly kind: 'stall' | 'slow' | 'late' | 'malformed-json' | 'malformed-sse' | 'tools' | 'refusal' | 'long' };

export interface ScenarioRow {
  /** As written; words in capitals stand for values, brackets for optional parts. */
  readonly form: string;
  /** A sentence for the docs, without the full stop. */
  readonly does: string;
  /** Anchored at its beginning, and ends at the end of a word. */
  readonly pattern: RegExp;
  /** Whether it is only for text, not for images. */
  readonly isOfText?: boolean;
  read(values: readonly (string | undefined)[]): Scenario;
}

const row = (form: string, pattern: string, rest: Pick<ScenarioRow, 'does' | 'read' | 'isOfText'>): ScenarioRow => ({
  form,
  pattern: new RegExp(`^${pattern}(?![\\w-])`, 'i'),
  ...rest,
});

type Plain = Exclude<Scenario, { kind: 'error' | 'fail-twice' | 'cut' }>['kind'];
const plain = (
  kind: Plain,
  does: string,
  more: Partial<Pick<ScenarioRow, 'isOfText'>> & { readonly pattern?: string } = {},
): ScenarioRow => {
  const { pattern = kind, ...rest } = more;
  return row(kind, pattern, { does, read: () => ({ kind }), ...rest });
};

/** The status of a rate limit when the scenario names none. */
const TOO_MANY = 429;
/** A server error that clients retry without `retry-after`. */
const FAULT = 500;

/** The first one that matches wins. */
export const scenarios: readonly ScenarioRow[] = [
  row('error STATUS [retry-after SECONDS]', 'error ([45]\\d\\d)(?: retry-after (\\d{1,4}))?', {
    does: 'fails with exactly that status, 400 to 599, and with the headers that belong to it',
    read: ([status, seconds]) => ({ kind: 'error', status: Number(status), retryAfterSeconds: toSeconds(seconds) }),
  }),
  row('retry-after SECONDS', 'retry-after (\\d{1,4})', {
    does: 'fails with 429 and that `retry-after`',
    read: ([seconds]) => ({ kind: 'error', status: TOO_MANY, retryAfterSeconds: toSeconds(seconds) }),
  }),
  row('fail-twice [STATUS]', 'fail-twice(?: ([45]\\d\\d))?', {
    does: 'fails two times with 500, or with that status, and answers the third time; the same body of the same account counts on',
    read: ([status]) => ({ kind: 'fail-twice', status: Number(status ?? FAULT) }),
  }),
  row('cut [EVENTS]', 'cut(?: (\\d{1,4}))?', {
    does: 'breaks off, in a stream behind so many events (4), never behind the last one; a whole answer, or a stream behind 0, is 502',
    read: ([events]) => ({ kind: 'cut', events: events === undefined ? null : Number(events) }),
  }),
  plain('stall', 'says no more, in a stream midway, until you leave or `stallMs` are over: 504, in a stream the error'),
  plain('slow', 'waits `slowMs` before it answers, and in a stream a tenth of that between two events'),
  plain('late', 'waits `slowMs` before the answer or the first event; what follows comes at its usual pace'),
  plain('malformed-sse', 'writes what is no event: 502, in a stream midway the error'),
  plain('malformed-json', 'writes what is no JSON: 502, in a stream midway the error', { pattern: 'malformed(?:-json)?' }),
  plain('tools', 'calls one of the tools that are offered, whatever the prompt says; 400 where none may be called', { isOfText: true }),
  plain('refusal', 'refuses; pictures with 400 `moderation_blocked`'),
  plain('long', 'writes 2,000 words, or as many as the request allows', { isOfText: true }),
];

const toSeconds = (text: string | undefined): number | null => (text === undefined ? null : Number(text));

/** For whoever asked for something else. */
export const knownScenarios = scenarios.map(({ form }) => form).join(', ');

const failing: readonly Scenario['kind'][] = ['error', 'fail-twice', 'cut', 'stall', 'malformed-json', 'malformed-sse'];

/** Whether a failure is what was asked for. */
export const isFailing = ({ kind }: Scenario): boolean => failing.includes(kind);

export interface FoundScenario {
  readonly scenario: Scenario;
  readonly row: ScenarioRow;
  /** What stands behind it. */
  readonly rest: string;
}

/** The scenario at the beginning of a text; null where there is none of that name. */
export function findScenario(text: string): FoundScenario | null {
  for (const candidate of scenarios) {
    const found = candidate.pattern.exec(text);
    if (found) return { scenario: candidate.read(found.slice(1)), row: candidate, rest: text.slice(found[0].length) };
  }
  return null;
}
