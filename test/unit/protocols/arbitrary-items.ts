/** Random items of legal turns: messages, reasoning, parallel calls and their results, in any legal order. */
import fc from 'fast-check';
import type {
  CallItem,
  CanonicalRequest,
  Item,
  MessageItem,
  Part,
  ReasoningItem,
  Tool,
} from '../../../server/protocols/canonical/canonical-request.ts';
import { packReasoning } from '../../../server/protocols/canonical/packed-reasoning.ts';
import { jsonObject, solid, words } from './arbitrary-values.ts';

export type Kind = 'chat' | 'responses' | 'anthropic' | 'gemini' | 'converse';
/** `any` also has items that the upstream must refuse. */
export type Reach = Kind | 'any';
export type Caller = CanonicalRequest['caller'];

export interface TurnOptions {
  readonly caller: Caller;
  readonly upstream: Reach;
}

const text: fc.Arbitrary<Part> = words.map((said) => ({ kind: 'text', text: said }));
const refusal: fc.Arbitrary<Part> = words.map((said) => ({ kind: 'refusal', text: said }));
const png = 'data:image/png;base64,iVBORw0KGgo=';
const pdf = 'data:application/pdf;base64,JVBERi0xLjc=';
const detail = fc.constantFrom('auto', 'low', 'high', 'original', null);
const imageOf = (url: string | null, fileId: string | null): fc.Arbitrary<Part> =>
  detail.map((seen) => ({ kind: 'image', url, fileId, detail: seen }));
const fileOf = (data: string | null, url: string | null, fileId: string | null): fc.Arbitrary<Part> =>
  fc.constantFrom('a.pdf', null).map((filename) => ({ kind: 'file', filename, data, url, fileId }));
const audio: fc.Arbitrary<Part> = fc.constantFrom('wav', 'mp3').map((format) => ({ kind: 'audio', data: 'UklGRg==', format }));
const far = imageOf('https://example.com/a.png', null);
const inline = [imageOf(png, null), fileOf(pdf, null, null)] as const;

/** The parts besides text that each kind of upstream can take. */
const shown: Readonly<Record<Reach, readonly fc.Arbitrary<Part>[]>> = {
  chat: [...inline, far, fileOf(null, null, 'file-1')],
  responses: [...inline, far, fileOf(null, 'https://example.com/a.pdf', null), imageOf(null, 'file-1')],
  anthropic: [...inline, far, fileOf(null, 'https://example.com/a.pdf', null)],
  gemini: inline,
  converse: inline,
  any: [...inline, far, imageOf(null, 'file-1'), fileOf(null, null, 'file-1'), fileOf('data:text/csv,a', null, null)],
};
const hears: ReadonlySet<Reach> = new Set(['chat', 'responses', 'any']);

const partsOf = (part: fc.Arbitrary<Part>, caller: Caller): fc.Arbitrary<Part[]> =>
  fc.array(part, { minLength: caller === 'chat' ? 1 : 0, maxLength: 3, size: 'max' });

function messageOf(role: MessageItem['role'], { caller, upstream }: TurnOptions): fc.Arbitrary<MessageItem> {
  const said = role === 'assistant' ? [text, text, refusal] : [text];
  const seen = role === 'user' ? [text, ...shown[upstream], ...(hears.has(upstream) ? [audio] : [])] : said;
  const hasName = caller === 'chat' && role === 'user' && upstream !== 'responses';
  return fc.record({
    kind: fc.constant('message'),
    role: fc.constant(role),
    parts: partsOf(fc.oneof(...seen), caller),
    phase: caller === 'responses' && role === 'assistant' ? fc.constantFrom('commentary', 'final_answer', null) : fc.constant(null),
    name: hasName ? fc.constantFrom('Ann', null) : fc.constant(null),
    path: fc.constant('somewhere'),
  });
}

/** Sealed by each upstream that seals, by a stranger, or not at all. */
const encrypted = fc.constantFrom(
  null,
  'Zm9yZWlnbg==',
  packReasoning('anthropic', { provider: 'anthropic', blocks: [{ type: 'thinking', thinking: 'Hm.', signature: 'c2ln' }] }),
  packReasoning('anthropic', { provider: 'anthropic', blocks: [{ type: 'redacted_thinking', data: 'c2VjcmV0' }] }),
  packReasoning('gemini', { provider: 'gemini', on: 'call', signature: 'c2ln', length: 0 }),
  packReasoning('converse', { vendor: 'up-model', block: { reasoningText: { text: 'Hm.', signature: 'c2ln' } } }),
  packReasoning('converse', { vendor: 'up-model', block: { redactedContent: 'c2VjcmV0' } }),
  packReasoning('gemini', { provider: 'gemini', on: 'text', signature: 'c2ln', length: 1 }),
  packReasoning('gemini', { provider: 'gemini', on: 'thought', signature: 'c2ln', length: 0 }),
);
const thought: fc.Arbitrary<ReasoningItem> = fc.record({
  kind: fc.constant('reasoning'),
  summary: fc.array(words, { maxLength: 2 }),
  content: fc.array(words, { maxLength: 1 }),
  encrypted,
  path: fc.constant('somewhere'),
});
/** Only responses has reasoning items. */
const thoughts = ({ caller }: TurnOptions): fc.Arbitrary<Item[]> =>
  caller === 'responses' ? fc.array(thought, { maxLength: 2 }) : fc.constant([]);

/** Searches that have ended, whose results are in the answers. */
const spent: fc.Arbitrary<Item> = fc.constantFrom('web_search_call', 'tool_search_call').map((type) => ({
  kind: 'foreign',
  type,
  value: { type, status: 'completed', ...(type === 'tool_search_call' && { arguments: {} }) },
  path: 'somewhere',
}));

export type CallableTool = Exclude<Tool, { kind: 'hosted' }>;
const withSpaces = (value: unknown) =>
  fc.constantFrom(JSON.stringify(value), JSON.stringify(value, null, 1), ` ${JSON.stringify(value)}\n`);
const argumentsText = fc.oneof({ weight: 6, arbitrary: jsonObject.chain(withSpaces) }, { weight: 1, arbitrary: fc.constant('') });

/** One of the offered tools, or one that is no longer offered. */
function calledBy(tools: readonly CallableTool[]): fc.Arbitrary<Pick<CallItem, 'form' | 'name' | 'namespace'>> {
  const gone = fc.constant({ form: 'function', name: 'gone_since', namespace: null } as const);
  const offered = tools.map(({ kind, name, namespace }) => ({ form: kind, name, namespace }));
  return offered.length === 0 ? gone : fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...offered) }, { weight: 1, arbitrary: gone });
}

const callOf = (tools: readonly CallableTool[]): fc.Arbitrary<Omit<CallItem, 'callId'>> =>
  fc
    .tuple(calledBy(tools), argumentsText, words)
    .map(([called, given, free]) => ({ kind: 'call', ...called, arguments: called.form === 'custom' ? free : given, path: 'somewhere' }));

interface Round {
  readonly before: readonly Item[];
  readonly calls: readonly Omit<CallItem, 'callId'>[];
  /** Results by the index of their call, and messages between them. */
  readonly after: readonly (Item | { readonly answers: number; readonly parts: readonly Part[] })[];
}

/** Reasoning, text, parallel calls, then their results in any order, with messages between them. */
function roundOf(tools: readonly CallableTool[], options: TurnOptions): fc.Arbitrary<Round> {
  const result = partsOf(
    fc.oneof({ weight: 3, arbitrary: text }, ...shown[options.upstream].map((arbitrary) => ({ weight: 1, arbitrary }))),
    'chat',
  );
  const talk =
    options.caller === 'responses'
      ? fc.array(fc.oneof(messageOf('user', options), messageOf('assistant', options)), { maxLength: 2 })
      : fc.constant([]);
  return fc.array(fc.tuple(callOf(tools), result), { minLength: 1, maxLength: 3 }).chain((calls) =>
    fc.record({
      before: fc.tuple(thoughts(options), fc.array(messageOf('assistant', options), { maxLength: 1 })).map((said) => said.flat()),
      calls: fc.constant(calls.map(([call]) => call)),
      after: talk.chain((said) => {
        const tail = [
          ...said,
          ...calls.map(([, parts], answers) => ({ answers, parts: options.caller === 'chat' ? parts.filter(isText) : parts })),
        ];
        return fc.shuffledSubarray(tail, { minLength: tail.length });
      }),
    }),
  );
}
const isText = ({ kind }: Part): boolean => kind === 'text';

/** Distinct ids in the forms of different vendors. */
const idOf = (count: number): string =>
  count % 3 === 0 ? `call_${count}` : count % 3 === 1 ? `toolu_01-${count}` : `functions.get:${count}`;

function tellRound({ before, calls, after }: Round, count: { value: number }): Item[] {
  const ids = calls.map(() => idOf(count.value++));
  const made = calls.map((call, at): Item => ({ ...call, callId: ids[at] ?? '' }));
  const rest = after.map((item): Item => {
    if (!('answers' in item)) return item;
    return {
      kind: 'output',
      form: calls[item.answers]?.form ?? 'function',
      callId: ids[item.answers] ?? '',
      parts: item.parts,
      path: 'somewhere',
    };
  });
  return [...before, ...made, ...rest];
}

const instruction = (options: TurnOptions) => fc.oneof(messageOf('system', options), messageOf('developer', options));
const userSays = (said: string): Item => ({
  kind: 'message',
  role: 'user',
  parts: [{ kind: 'text', text: said }],
  phase: null,
  name: null,
  path: 'somewhere',
});

export function itemsOf(tools: readonly CallableTool[], options: TurnOptions): fc.Arbitrary<Item[]> {
  const alone = [
    messageOf('user', options),
    messageOf('assistant', options),
    instruction(options),
    ...(options.caller === 'responses' ? [spent] : []),
  ];
  const step = fc.oneof(
    { weight: 3, arbitrary: fc.oneof(...alone).map((item): Item[] | Round => [item]) },
    { weight: 2, arbitrary: roundOf(tools, options) },
    { weight: 1, arbitrary: thoughts(options) },
  );
  return fc
    .tuple(fc.array(instruction(options), { maxLength: 2 }), solid, fc.array(step, { maxLength: 6, size: 'max' }))
    .map(([leading, said, steps]) => {
      const count = { value: 0 };
      return [...leading, userSays(said), ...steps.flatMap((each) => (Array.isArray(each) ? each : tellRound(each, count)))];
    });
}
