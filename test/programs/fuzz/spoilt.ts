/** Bodies cut and changed at every byte, and bodies of every size: listed, since all of them are wanted. */
import { MAX_VALUES } from '../../../server/api/http/value-limit.ts';
import { operations } from './requests.ts';

/** What a byte is changed to: structure, controls, and bytes that are no UTF-8. */
const bytes = [...'{}[]",:\\/ 0e-tn']
  .map((sign) => sign.charCodeAt(0))
  .concat([0x00, 0x0a, 0x1f, 0x7f, 0x80, 0xbf, 0xc0, 0xe2, 0xed, 0xf5, 0xfe, 0xff]);
const CHANGES = 8;

/** Each prefix, and at each place some changes; which of them, the seed says. */
export function spoiltBodies(value: unknown, seed: number): readonly Buffer[] {
  const whole = Buffer.from(JSON.stringify(value));
  return [...whole.keys()].flatMap((at) => {
    const cut = whole.subarray(0, at);
    const changed = Array.from({ length: CHANGES }, (_, index) => {
      const made = Buffer.from(whole);
      made[at] = bytes[(at * CHANGES + index + seed) % bytes.length] ?? 0;
      return made;
    });
    return [cut, ...changed];
  });
}

interface Large {
  readonly path: string;
  readonly text: string;
}

const MEBIBYTE = 1_048_576;
/** The limit of a body is 20 MiB. */
const textSizes = [1, 4, 12, 19, 20, 21].map((count) => count * MEBIBYTE);

export function largeBodies(): readonly Large[] {
  const { chat, responses } = operations;
  const asking = (content: string) => ({
    path: chat.path,
    text: `{"model":"over-chat","messages":[{"role":"user","content":${content}}]}`,
  });
  const input = (content: string) => ({ path: responses.path, text: `{"model":"over-anthropic","store":false,"input":${content}}` });
  const unknown = (content: string) => ({
    path: chat.path,
    text: `{"model":"over-chat","messages":[{"role":"user","content":"hi"}],"later":${content}}`,
  });
  const asTool = (parameters: string) => ({
    path: chat.path,
    text: `{"model":"over-gemini","messages":[{"role":"user","content":"hi"}],"tools":[{"type":"function","function":{"name":"f","parameters":${parameters}}}]}`,
  });
  const asFormat = (schema: string) => ({
    path: responses.path,
    text: `{"model":"over-anthropic","store":false,"input":"hi","text":{"format":{"type":"json_schema","name":"x","schema":${schema}}}}`,
  });
  /** No two names alike: nothing costs the parser more. */
  const fields = (count: number, value: string, tail = '') =>
    `{${Array.from({ length: count }, (_, index) => `"k${index}${tail}":${value}`).join()}}`;
  const schemaOf = (count: number) => `{"type":"object","properties":${fields(count, '{"type":"string"}')}}`;
  const list = (item: string, count: number) => `[${Array.from({ length: count }, () => item).join()}]`;
  const deep = (open: string, close: string, depth: number) => `${open.repeat(depth)}1${close.repeat(depth)}`;
  return [
    ...textSizes.flatMap((size) => [asking(`"${'x'.repeat(size)}"`), input(`"${'é'.repeat(size / 2)}"`)]),
    ...[100, 10_000, 200_000].flatMap((depth) => [
      unknown(deep('[', ']', depth)),
      unknown(deep('{"a":', '}', depth)),
      asking(deep('[', ']', depth)),
      input(`[{"role":"user","content":"data:image/png;base64,","x":${deep('[', ']', depth)}}]`),
      { path: chat.path, text: '['.repeat(depth) },
    ]),
    ...[4_096, 4_097, 100_000].flatMap((count) => [
      { path: chat.path, text: `{"model":"over-chat","messages":${list('{"role":"user","content":"a"}', count)}}` },
      input(list('{"role":"user","content":"a"}', count)),
      unknown(list('{}', count)),
      asking(list('{"type":"text","text":"a"}', count)),
    ]),
    ...[MAX_VALUES - 100, MAX_VALUES + 100].flatMap((values) => [
      ...[
        unknown(fields(values, '1')),
        unknown(fields(values, '1', 'x'.repeat(150))),
        unknown(`{${list('"same":1', values).slice(1, -1)}}`),
      ],
      ...[asTool(schemaOf(values / 2)), asFormat(schemaOf(values / 2)), unknown(list('{}', values / 2))],
    ]),
    unknown(`-${'9'.repeat(1_000_000)}`),
    asking(`"${'\\u0041'.repeat(1_000_000)}"`),
  ];
}
