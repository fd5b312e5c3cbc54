/** Checks the result of a case: the answer, the charge, the concurrency slot, and the circuit breaker. */
import { expect } from 'vitest';
import { formatDollars } from '../../../server/money/dollars.ts';
import type { ChargeRecord } from '../../../server/money/store.ts';
import { readFrames } from '../../fakes/frames.ts';
import { endedCharge } from '../../harness/ended-charge.ts';
import { expectRefusal } from '../../harness/refusal.ts';
import type { Answer, Case } from './case.ts';
import type { Stage } from './stage.ts';

interface Seen {
  readonly answer: Answer;
  /** Whether the caller was shown any output. */
  readonly isShown: boolean;
}

/** Checks all but the circuit breaker, and returns the state that it must have. */
async function judge(stage: Stage, number: number, one: Case): Promise<'open' | 'closed'> {
  try {
    const answer = await stage.ask(number);
    one.whenBegun?.();
    const seen = await readAnswer(one, answer);
    expect(one.answers, 'what the caller got').toContain(seen.answer);
    const charge = await endedCharge(stage.ledger, String(answer.headers.get('x-request-id')));
    judgeBill(one, seen, charge);
    if (one.hasReceipt) await judgeReceipt(stage, charge);
    expect(stage.isFree(number), 'its slot is free').toBe(true);
    expect(stage.asked(number), 'attempts').toBe(one.upstream === 'nowhere' || one.upstream === 'hole' ? 0 : 1);
    return seen.answer === 'rejected' ? 'open' : 'closed';
  } catch (error) {
    throw new Error(nameOf(one, error instanceof Error ? error.message : String(error)), { cause: error });
  }
}

const nameOf = ({ door, title }: Case, what: string): string => `${door.name}: ${title}: ${what}`;

/** Fails on a second terminal event, on one in the wrong place, and on half a frame. */
async function readAnswer({ door, code }: Case, answer: Response): Promise<Seen> {
  const { protocol, isStream } = door;
  if (answer.status !== 200) {
    await expectRefusal(answer, { code });
    return { answer: 'rejected', isShown: false };
  }
  const text = await answer.text();
  const isShown = isStream ? /"(content|delta)":"[^"]/.test(text) : true;
  if (!isStream) {
    expect(JSON.parse(text)).toMatchObject(wholeOf(door.protocol.name));
    return { answer: 'whole', isShown };
  }
  if (/"error":\{/.test(text)) {
    expect(protocol.expectBroken(text).code).toBe(code);
    return { answer: 'broken', isShown };
  }
  expect(readFrames(text.replaceAll(': keepalive\n\n', '')).length).toBeGreaterThan(2);
  expectWholeStream(door.protocol.name, text);
  return { answer: 'whole', isShown };
}

const wholeOf = (name: string) =>
  name === 'chat'
    ? { object: 'chat.completion', choices: [{ finish_reason: 'stop', message: { role: 'assistant' } }] }
    : { object: 'response', status: 'completed', error: null };

/** The text may differ from that of the protocol. */
function expectWholeStream(name: string, text: string): void {
  expect(text.endsWith('data: [DONE]\n\n')).toBe(true);
  expect(text.match(/^data: \[DONE\]$/gm)).toHaveLength(1);
  const ends = name === 'chat' ? /"finish_reason":"stop"/g : /^event: response\.(completed|incomplete|failed)$/gm;
  expect(text.match(ends)).toHaveLength(1);
}

function judgeBill({ bill }: Case, { answer, isShown }: Seen, charge: ChargeRecord): void {
  const told = `${charge.state} ${charge.outcome} ${charge.charged} of ${charge.held}, ${JSON.stringify(charge.metered)}`;
  if (answer === 'rejected') {
    expect(charge, told).toMatchObject({ state: 'voided', charged: 0n, overrun: 0n });
    return;
  }
  // Output that was shown is charged.
  if (isShown || answer === 'whole') expect(charge.charged, told).toBeGreaterThan(0n);
  expect(charge.charged <= charge.held, told).toBe(true);
  expect(charge.outcome, told).toBe(answer === 'whole' ? 'completed' : 'failed');
  if (bill === 'all that was held') expect(charge.charged, told).toBe(charge.held);
  else expect(charge.overrun, told).toBe(0n);
  if (bill === 'estimated') expect(charge, told).toMatchObject({ state: 'posted', isEstimated: true });
  if (bill === 'reported')
    expect(charge, told).toMatchObject({ state: 'posted', isEstimated: false, metered: { input: 8, cachedInput: 3, output: 7 } });
}

async function judgeReceipt({ gateway }: Stage, { requestId, state, charged }: ChargeRecord): Promise<void> {
  const receipt = await gateway.call(`/usage/${requestId}`);
  expect(await receipt.json()).toMatchObject({ state, charged: formatDollars(charged) });
}

/** Runs `width` cases at a time; each has a model of its own. */
export async function judgeAll(stage: Stage, cases: ReadonlyMap<number, Case>, width = 16): Promise<void> {
  const left = [...cases];
  const healths = new Map<number, string>();
  const faults: string[] = [];
  const work = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined && faults.length < 5; next = left.shift()) {
      const [number, one] = next;
      const noteFault = (error: Error): void => void faults.push(error.message);
      await judge(stage, number, one).then((health) => healths.set(number, health), noteFault);
    }
  };
  await Promise.all(Array.from({ length: width }, work));
  expect(faults).toEqual([]);
  const found = stage.health();
  const wrong = [...cases].filter(([number]) => found.get(number) !== healths.get(number));
  expect(wrong.map(([number, one]) => nameOf(one, `health is ${found.get(number)}, not ${healths.get(number)}`))).toEqual([]);
}
