/** The translation matrix: each feature over each pair of caller and upstream, streamed and not, and the page of the docs about it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { unmarked } from '../fakes/gemini.ts';
import { type Caller, callers, type Kind, kinds, modelOver, openPairs, type Pairs, type Reply } from '../harness/pairs.ts';
import { type Answered, ask, type Fields, type Got, type Rejected } from './translation-callers.ts';
import type { Case, Sent } from './translation-case.ts';
import { choiceCases } from './translation-choice.ts';
import { contentCases } from './translation-content.ts';
import { customCases } from './translation-custom.ts';
import { type Cell, writePage } from './translation-page.ts';
import { settingCases } from './translation-settings.ts';
import { toolCases } from './translation-tools.ts';

let pairs: Pairs;
const cells: Cell[] = [];
beforeAll(async () => {
  pairs = await openPairs();
});
afterAll(() => pairs.close());

interface Ask {
  readonly one: Case;
  readonly caller: Caller;
  readonly kind: Kind;
  readonly isStream: boolean;
  readonly sent: Sent;
}

/** An upstream of the caller's protocol gets the caller's fields, without unknown ones. */
function sentOf({ sent, ask: asked }: Case, caller: Caller, kind: Kind): Sent | undefined {
  const each = sent[kind];
  const isDropped = each && 'kind' in each && each.kind === 'dropped';
  if (caller === kind && asked[caller] && !isDropped) return { kind: 'body', body: asked[caller] };
  return each === undefined || 'kind' in each ? each : each[caller];
}

const all = [...contentCases, ...toolCases, ...customCases, ...choiceCases, ...settingCases].flatMap((one) =>
  callers.flatMap((caller) =>
    kinds.flatMap((kind) => {
      const sent = one.ask[caller] && canAnswer(one, kind) ? sentOf(one, caller, kind) : undefined;
      return sent === undefined ? [] : [false, true].map((isStream): Ask => ({ one, caller, kind, isStream, sent }));
    }),
  ),
);

/** Only the protocols of OpenAI have a field for refusals. */
function canAnswer({ reply }: Case, kind: Kind): boolean {
  return reply?.refusal === undefined || kind === 'chat' || kind === 'responses';
}

const titled = all.map((each) => ({
  ...each,
  title: `${each.one.rows ? `${each.one.rows}: ` : ''}${each.one.feature}, ${each.caller} over ${each.kind}, ${each.isStream ? 'streamed' : 'whole'}`,
}));

describe('a call', () => {
  test.each(titled)('works or names the field: $title', async (each) => {
    const cell = { feature: each.one.feature, caller: each.caller, kind: each.kind, isStream: each.isStream, outcome: '**fails**' };
    cells.push(cell);
    cell.outcome = await run(each);
  });
});

async function run(each: Ask): Promise<string> {
  const { one, caller, kind, sent } = each;
  const fake = pairs.fakes[kind];
  const fields = one.ask[caller] ?? {};
  const [first, second] = [one.reply ?? hello, one.sequel?.reply];
  fake.clear();
  if (sent.kind === 'rejected') {
    expect(await send(fields, each)).toEqual({ kind: 'rejected', status: 400, code: sent.code, param: sent.param });
    expect(fake.requests).toHaveLength(0);
    return `400 \`${sent.param}\``;
  }
  pairs.expectToSay(kind, first, ...(second ? [second] : []));
  const answer = expectAnswered(await send(fields, each));
  const calls = answer.got.calls.map((call) => ({ ...call, id: unmarked(call.id) }));
  expect({ ...answer.got, calls }).toMatchObject(expectedOf(each, first));
  if (one.sequel && second) await goOn(each, answer, second);
  return expectSent(fake.last.fields, each);
}

const hello: Reply = { text: 'Hello.' };

const send = (fields: Fields, { caller, kind, isStream }: Ask): Promise<Answered | Rejected> =>
  ask(
    { model: modelOver(kind), ...fields },
    { baseURL: pairs.gateway.baseURL, key: pairs.gateway.key, caller, isStream, isTranslated: caller !== kind },
  );

function expectAnswered(answer: Answered | Rejected): Answered {
  if (answer.kind !== 'answered') throw new Error(`rejected: ${JSON.stringify(answer)}`);
  return answer;
}

/** Makes the second request of a caller who keeps the conversation. */
async function goOn(each: Ask, { output }: Answered, second: Reply): Promise<void> {
  const { one, caller } = each;
  const fields = one.ask[caller] ?? {};
  const added = (one.sequel?.add ?? []).map((item) => ({ ...item, ...asAnswered(item, output) }));
  const input = [...(Array.isArray(fields.input) ? fields.input : []), ...output, ...added];
  const answer = expectAnswered(await send({ ...fields, input }, each));
  expect(answer.got).toMatchObject({ text: second.text });
}

/** The id of the call as the caller got it. */
function asAnswered({ call_id: id }: Fields, output: readonly Fields[]): Fields {
  const call = output.find(({ call_id: given }) => typeof given === 'string' && unmarked(given) === id);
  return call === undefined ? {} : { call_id: call.call_id };
}

/** The reply as the caller must read it. */
function expectedOf({ one, caller, kind }: Ask, reply: Reply): Partial<Got> {
  const { text = '', refusal = '', thought = '', calls = [], end } = reply;
  return {
    text: typeof text === 'string' ? text : text.join(''),
    refusal,
    reasoning: caller === 'chat' ? null : thought,
    calls,
    end: end ?? (calls.length > 0 ? 'calls' : 'stop'),
    // Converse does not say how much of the output was reasoning.
    usage: { input: 11, cached: 3, output: 7, reasoning: kind === 'converse' ? 0 : 2 },
    ...one.got,
  };
}

function expectSent(received: Fields, { one, caller, kind, sent }: Ask): string {
  if (sent.kind === 'dropped') {
    expect(Object.keys(received)).not.toContain(sent.field);
    return 'omitted';
  }
  if (sent.kind === 'body' && !(caller === kind && one.sequel)) expect(received).toMatchObject(sent.body);
  const how = one.how?.[kind];
  return how === undefined ? 'works' : `works (${how})`;
}

test('matches docs/generated/translation.md', async () => {
  await expect(writePage(cells, kinds)).toMatchFileSnapshot('../../docs/generated/translation.md');
});
