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
    does: 'fails two times with 500, or with that status, and answers the third time; requests with the same body and account are counted together',
    read: ([status]) => ({ kind: 'fail-twice', status: Number(status ?? FAULT) }),
  }),
  row('cut [EVENTS]', 'cut(?: (\\d{1,4}))?', {
    does: 'breaks a stream off after so many events (4), never after the last one; a call without a stream, or with 0 events, gets 502',
    read: ([events]) => ({ kind: 'cut', events: events === undefined ? null : Number(events) }),
  }),
  plain('stall', 'stops sending, in a stream midway, until you disconnect or `stallMs` have passed: then 504, or the error in the stream'),
  plain('slow', 'waits `slowMs` before it answers, and in a stream a tenth of that between two events'),
  plain('late', 'waits `slowMs` before the answer or the first event; the rest comes at its usual pace'),
  plain('malformed-sse', 'sends an invalid event: 502, or the error midway in a stream'),
  plain('malformed-json', 'sends invalid JSON: 502, or the error midway in a stream', { pattern: 'malformed(?:-json)?' }),
  plain('tools', 'calls the first offered tool, or the one that the prompt calls; 400 when no tool may be called', { isOfText: true }),
  plain('refusal', 'refuses; for images with 400 `moderation_blocked`'),
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
