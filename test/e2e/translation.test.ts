/** The translation matrix: each feature over each pair of caller and upstream, streamed and not, and the page of the docs about it. */
import { describe, expect, test } from 'vitest';
import { unmarked } from '../fakes/gemini.ts';
import { useOpened } from '../harness/opened.ts';
import { type Caller, callers, type Kind, kinds, modelOver, openPairs, type Reply } from '../harness/pairs.ts';
import { type Answered, ask, type Fields, type Got, type Rejected } from './translation-callers.ts';
import { type Case, cases, type Outcome } from './translation-case.ts';
import { type Cell, writePage } from './translation-page.ts';

const cells: Cell[] = [];
const pairs = useOpened(() => openPairs());

interface Ask {
  readonly one: Case;
  readonly caller: Caller;
  readonly kind: Kind;
  readonly isStream: boolean;
  readonly outcome: Outcome;
}

/** An upstream of the caller's protocol gets the caller's fields, without unknown ones. */
function findOutcome({ sent, ask: asked }: Case, caller: Caller, kind: Kind): Outcome {
  const [own, each] = [asked[caller], sent?.[kind] ?? {}];
  if (caller === kind && own && typeof each !== 'string') return own;
  return typeof each === 'object' && 'callers' in each ? ((each.callers as Readonly<Record<string, Outcome>>)[caller] ?? {}) : each;
}

const all = cases.flatMap((one) =>
  callers
    .filter((caller) => one.ask[caller])
    .flatMap((caller) =>
      kinds
        .filter((kind) => canAnswer(one, kind))
        .flatMap((kind) =>
          [false, true].map((isStream): Ask => ({ one, caller, kind, isStream, outcome: findOutcome(one, caller, kind) })),
        ),
    ),
);

/** Only the protocols of OpenAI have a field for refusals. */
function canAnswer({ reply }: Case, kind: Kind): boolean {
  return reply?.refusal === undefined || kind === 'chat' || kind === 'responses';
}

const titled = all.map((each) => ({
  ...each,
  title: `${each.one.failures ? `${each.one.failures}: ` : ''}${each.one.title}, ${each.caller} over ${each.kind}, ${each.isStream ? 'streamed' : 'whole'}`,
}));

describe('a call', () => {
  test.each(titled)('works or names the field: $title', async (each) => {
    const cell = { feature: each.one.title, caller: each.caller, kind: each.kind, isStream: each.isStream, outcome: '**fails**' };
    cells.push(cell);
    cell.outcome = await run(each);
  });
});

async function run(each: Ask): Promise<string> {
  const { one, caller, kind, outcome } = each;
  const fake = pairs.fakes[kind];
  const fields = one.ask[caller] ?? {};
  const [first, second] = [one.reply ?? hello, one.sequel?.reply];
  fake.clear();
  if (typeof outcome === 'string' && outcome.startsWith('rejected ')) {
    const param = outcome.slice('rejected '.length);
    expect(await send(fields, each)).toEqual({ kind: 'rejected', status: 400, code: 'unsupported_parameter', param });
    expect(fake.requests).toHaveLength(0);
    return `400 \`${param}\``;
  }
  pairs.expectToSay(kind, first, ...(second ? [second] : []));
  const answer = expectAnswered(await send(fields, each));
  const calls = answer.got.calls.map((call) => ({ ...call, id: unmarked(call.id) }));
  expect({ ...answer.got, calls }).toMatchObject(getExpected(each, first));
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
function getExpected({ caller, kind }: Ask, reply: Reply): Partial<Got> {
  const { text = '', refusal = '', thought = '', calls = [], end } = reply;
  return {
    text: typeof text === 'string' ? text : text.join(''),
    refusal,
    reasoning: caller === 'chat' ? null : thought,
    calls,
    end: end ?? (calls.length > 0 ? 'calls' : 'stop'),
    // Converse does not say how much of the output was reasoning.
    usage: { input: 11, cached: 3, output: 7, reasoning: kind === 'converse' ? 0 : 2 },
  };
}

function expectSent(received: Fields, { one, caller, kind, outcome }: Ask): string {
  if (typeof outcome === 'string') {
    expect(Object.keys(received)).not.toContain(outcome.slice('omitted '.length));
    return 'omitted';
  }
  if (!(caller === kind && one.sequel)) expect(received).toMatchObject(outcome);
  const how = one.how?.[kind];
  return how === undefined ? 'works' : `works (${how})`;
}

test('matches docs/generated/translation.md', async () => {
  await expect(writePage(cells, kinds)).toMatchFileSnapshot('../../docs/generated/translation.md');
});
