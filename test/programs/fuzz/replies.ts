/** What vendors say in a model's words: texts, thoughts and arguments that hold the framing of streams; callers have to read them unchanged (F15). */
import fc from 'fast-check';
import { ChatCompletion } from '../../../contract/chat/completion.ts';
import { Response } from '../../../contract/responses.ts';
import { readFrames } from '../../fakes/frames.ts';
import type { Kind, Reply } from '../../harness/pairs.ts';
import { judge } from './campaign.ts';
import { oddText } from './hostile.ts';
import type { Lane } from './lane.ts';
import { jsonType, operations, requestOf } from './requests.ts';
import type { Stage } from './stage.ts';

const framing = [
  ...[
    '\n\ndata: [DONE]\n\n',
    'data: [DONE]',
    '\r\n\r\n',
    '\r',
    '\n',
    '\n\n',
    '\u2028',
    '\ufeff',
    'event: response.completed\n',
    ': comment\n\n',
  ],
  ...[
    'data: {"error":{"message":"x"}}\n\n',
    'id: 1\nretry: 0\n',
    '\u0000',
    '{"usage":{"total_tokens":1}}',
    '"usage":{',
    '"finish_reason":"stop"',
  ],
  ...[
    'data: {"type":"response.completed"}',
    'event: error\ndata: {}\n\n',
    '[DONE]',
    '\\n\\ndata: x',
    '"',
    '\\',
    '\\"',
    '</s>',
    'é',
    '☕',
    '🌍',
    ' ',
    'a',
  ],
];
const isWhole = (text: string): boolean => text.isWellFormed();
/** What a vendor can say: Unicode, since it says it in UTF-8. */
const words = fc
  .array(
    fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...framing) }, { weight: 1, arbitrary: oddText.map((text) => text.slice(0, 200)) }),
    { minLength: 1, maxLength: 6 },
  )
  .map((pieces) => pieces.filter(isWhole))
  .filter((pieces) => pieces.join('') !== '');

export interface ReplyCase {
  readonly kind: Kind;
  readonly caller: 'chat' | 'responses';
  readonly isStream: boolean;
  readonly text: readonly string[];
  /** Of a call, the argument; null for an answer in words. */
  readonly argument: string | null;
}

export const replyCases: fc.Arbitrary<ReplyCase> = fc.record({
  kind: fc.constantFrom<Kind>('chat', 'responses', 'anthropic', 'gemini'),
  caller: fc.constantFrom('chat', 'responses'),
  isStream: fc.boolean(),
  text: words,
  argument: fc.option(
    words.map((pieces) => pieces.join('')),
    { nil: null },
  ),
});

interface Named {
  readonly name: string;
  readonly reply: ReplyCase;
}

const tool = { name: 'note', parameters: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] } };

/** Throws where the caller reads anything else than was said. */
export async function checkReply(stage: Stage, lane: Lane, { name, reply }: Named): Promise<void> {
  const { kind, caller, isStream, text, argument } = reply;
  const calls = argument === null ? [] : [{ id: 'call_1', name: 'note', input: JSON.stringify({ text: argument }) }];
  const said: Reply = argument === null ? { text } : { calls };
  stage.expectToSay(name, said);
  const asked =
    caller === 'chat'
      ? { messages: [{ role: 'user', content: name }], tools: [{ type: 'function', function: tool }] }
      : { input: name, store: false, tools: [{ type: 'function', ...tool }] };
  const body = JSON.stringify({ model: `over-${kind}`, stream: isStream, ...asked });
  const bytes = requestOf({ path: operations[caller].path, key: stage.gateway.key, headers: [jsonType] }, body);
  const { body: answer } = await judge(stage, lane, { bytes, expects: 'served' });
  const heard = isStream ? readers[caller].stream(answer) : readers[caller].whole(answer);
  const expected = argument === null ? { text: text.join(''), argument: null } : { text: '', argument };
  if (JSON.stringify(heard) !== JSON.stringify(expected))
    throw new Error(`said ${JSON.stringify(expected)}, heard ${JSON.stringify(heard)}: ${answer.slice(0, 1_000)}`);
}

interface Heard {
  readonly text: string;
  readonly argument: string | null;
}
interface Reader {
  whole(body: string): Heard;
  stream(body: string): Heard;
}

const argumentOf = (json: string | undefined): string | null => (json === undefined || json === '' ? null : JSON.parse(json).text);

/** Fields of frames are read as clients do: by their place. */
interface ChatFrame {
  readonly choices: readonly {
    readonly delta: {
      readonly content?: string | null;
      readonly tool_calls?: readonly { readonly function?: { readonly arguments?: string } }[];
    };
  }[];
}
interface ResponseFrame {
  readonly type: string;
  readonly response: unknown;
}

function readResponse(value: unknown): Heard {
  const { output, status } = Response.parse(value);
  if (status !== 'completed') throw new Error(`the response is ${status}`);
  const texts = output.flatMap((item) => (item.type === 'message' ? (item.content as readonly { text?: string }[]) : []));
  const call = output.find((item) => item.type === 'function_call') as { arguments: string } | undefined;
  return { text: texts.map(({ text = '' }) => text).join(''), argument: argumentOf(call?.arguments) };
}

const readers: Readonly<Record<ReplyCase['caller'], Reader>> = {
  chat: {
    whole(body) {
      const message = ChatCompletion.parse(JSON.parse(body)).choices[0]?.message;
      const call = message?.tool_calls?.[0] as { function: { arguments: string } } | undefined;
      return { text: message?.content ?? '', argument: argumentOf(call?.function.arguments) };
    },
    stream(body) {
      const frames = readFrames(body).map(({ data }) => data);
      const dones = frames.filter((data) => data === '[DONE]').length;
      if (dones !== 1 || frames.at(-1) !== '[DONE]') throw new Error(`[DONE] came ${dones} times: ${body.slice(0, 500)}`);
      // Whatever is not [DONE] is a chunk.
      const deltas = (frames.slice(0, -1) as readonly ChatFrame[]).flatMap(({ choices }) => choices.map(({ delta }) => delta));
      const pieces = deltas.flatMap(({ tool_calls }) => tool_calls ?? []).map((call) => call.function?.arguments ?? '');
      return { text: deltas.map(({ content }) => content ?? '').join(''), argument: argumentOf(pieces.join('')) };
    },
  },
  responses: {
    whole: (body) => readResponse(JSON.parse(body)),
    stream(body) {
      const frames = readFrames(body).map(({ data }) => data);
      const ends = (frames.filter((data) => data !== '[DONE]') as readonly ResponseFrame[]).filter(({ type }) =>
        /^response\.(completed|incomplete|failed)$/.test(type),
      );
      if (ends.length !== 1) throw new Error(`the response ended ${ends.length} times: ${body.slice(0, 500)}`);
      return readResponse(ends[0]?.response);
    },
  },
};
