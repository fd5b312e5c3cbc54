/** What a caller can do to a gateway with few requests: each at ten times the size at which it once stopped everybody. */
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { Pool } from 'undici';
import { chain, ladder, wide } from '../../fixtures/tools/costly.ts';
import { simulatedModels, vendorModels } from './payloads.ts';
import { chatPath, responsesPath } from './scenarios.ts';

export interface Target {
  readonly origin: string;
  readonly key: string;
}

export type Statuses = Map<number, number>;

export interface Attack {
  readonly name: string;
  readonly title: string;
  /** Whether who does it has no money, and one call at a time. */
  readonly isPoor?: boolean;
  /** What has to be there before. */
  prepare?(target: Target): Promise<void>;
  run(target: Target): Promise<Statuses>;
}

interface Sent {
  readonly path: string;
  readonly method?: 'GET' | 'POST';
  readonly body?: Buffer | string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly hasKey?: boolean;
}

/** The same request again and again. */
interface Flood {
  readonly times: number;
  readonly connections: number;
}

const { text: simulatedModel } = simulatedModels;
const timeoutMs = 120_000;

async function flood({ origin, key }: Target, sent: Sent, { times, connections }: Flood): Promise<Statuses> {
  const pool = new Pool(origin, { connections, headersTimeout: timeoutMs, bodyTimeout: timeoutMs });
  const statuses: Statuses = new Map();
  let left = times;
  const work = async (): Promise<void> => {
    while (left-- > 0) {
      const status = await statusOf(pool, key, sent);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: connections }, work));
  await pool.destroy();
  return statuses;
}

async function statusOf(pool: Pool, key: string, { path, method = 'POST', body, headers, hasKey = true }: Sent): Promise<number> {
  const own = { 'content-type': 'application/json', ...(hasKey && { authorization: `Bearer ${key}` }), ...headers };
  try {
    const answer = await pool.request({ path, method, headers: own, ...(body !== undefined && { body }) });
    await answer.body.dump({ limit: Number.POSITIVE_INFINITY });
    return answer.statusCode;
  } catch {
    return 0;
  }
}

const json = (path: string, value: object): Sent => ({ path, body: JSON.stringify(value) });
const tool = (name: string, parameters: object) => ({ type: 'function', name, parameters });
const asking = (tools: readonly object[]): Sent =>
  json(responsesPath, { model: vendorModels.anthropic, input: 'hello', max_output_tokens: 16, tools });
const shaped = (schema: object): Sent =>
  json(chatPath, {
    model: simulatedModel,
    messages: [{ role: 'user', content: 'hello' }],
    max_tokens: 10_000,
    response_format: { type: 'json_schema', json_schema: { name: 'made', schema } },
  });
const few: Flood = { times: 20, connections: 4 };
const simple = (name: string, title: string, sent: () => Sent, often: Flood = few): Attack => ({
  name,
  title,
  run: (target) => flood(target, sent(), often),
});

/** Few bytes that unpack to as much as a body may have. */
const packed = () => gzipSync(Buffer.concat([Buffer.from('{"model":"'), Buffer.alloc(20_000_000, ' '), Buffer.from('"}')]), { level: 9 });

/** One stored answer of six megabytes, and a request that refers to its input as often as it can. */
function references(): Attack {
  let body = '';
  return {
    name: 'A2',
    title: '40,950 references to one stored input of 6 MB',
    async prepare({ origin, key }) {
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` };
      const asked = { model: simulatedModel, input: 'words '.repeat(1_000_000), max_output_tokens: 16 };
      const stored = await fetch(`${origin}${responsesPath}`, { method: 'POST', headers, body: JSON.stringify(asked) });
      const { id } = Object(await stored.json());
      const page = await fetch(`${origin}${responsesPath}/${id}/input_items`, { headers });
      const [item] = Object(await page.json()).data;
      const input = Array.from({ length: 40_950 }, () => ({ type: 'item_reference', id: item.id }));
      body = JSON.stringify({ model: simulatedModel, input, max_output_tokens: 16 });
    },
    run: (target) => flood(target, { path: responsesPath, body }, few),
  };
}

/** A conversation of large turns, and then its beginning again and again. */
function conversation(): Attack {
  const picture = `data:image/png;base64,${'A'.repeat(14_000_000)}`;
  return {
    name: 'A3',
    title: 'a chain of 80 turns with 14 MB each as far as it goes, and its first item 100 times',
    async run({ origin, key }) {
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` };
      const statuses: Statuses = new Map();
      let last: string | undefined;
      for (let turn = 0; turn < 80; turn++) {
        const content = [{ type: 'input_image', image_url: picture, detail: 'low' }];
        const asked = { model: simulatedModel, input: [{ role: 'user', content }], max_output_tokens: 16, previous_response_id: last };
        const answer = await fetch(`${origin}${responsesPath}`, { method: 'POST', headers, body: JSON.stringify(asked) });
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
        const { id } = Object(await answer.json());
        if (answer.status !== 200) break;
        last = String(id);
      }
      const read = { path: `${responsesPath}/${last}/input_items?limit=1`, method: 'GET' as const };
      for (const [status, times] of await flood({ origin, key }, read, { times: 100, connections: 8 }))
        statuses.set(status, (statuses.get(status) ?? 0) + times);
      return statuses;
    },
  };
}

/** Bodies that begin and never end. */
function unfinished(name: string, who: string): Attack {
  const bodies = 300;
  return {
    name,
    title: `${bodies} bodies of 30 MB of which the last byte is missing, ${who}`,
    async run({ origin, key }) {
      const { port, hostname } = new URL(origin);
      const size = 30_000_000;
      const head = `POST ${chatPath} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\ncontent-length: ${size}\r\n\r\n`;
      const bytes = Buffer.alloc(size - 1, ' ');
      const statuses: Statuses = new Map();
      const sockets = Array.from({ length: bodies }, () => {
        const socket = connect({ port: Number(port), host: hostname });
        socket.on('error', () => undefined);
        socket.once('data', (answer) => {
          const status = Number(answer.toString().split(' ')[1]);
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
          socket.destroy();
        });
        socket.write(head);
        socket.write(bytes);
        return socket;
      });
      await pause(15_000);
      for (const socket of sockets) socket.destroy();
      return statuses;
    },
  };
}

/** A form whose picture is as large as forms may be. */
function form(): Sent {
  const boundary = 'bench-boundary';
  const field = (name: string, value: string) => `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const file = `--${boundary}\r\ncontent-disposition: form-data; name="image[]"; filename="a.png"\r\ncontent-type: image/png\r\n\r\n`;
  const parts = [field('model', simulatedModels.drawn), field('prompt', 'x'), ...Array.from({ length: 8 }, () => file)];
  const body = Buffer.concat([
    ...parts.flatMap((part, index) => [Buffer.from(part), ...(index < 2 ? [] : [Buffer.alloc(15_000_000, 7), Buffer.from('\r\n')])]),
    Buffer.from(`--${boundary}--\r\n`),
  ]);
  return { path: '/v1/images/edits', body, headers: { 'content-type': `multipart/form-data; boundary=${boundary}` } };
}

const nested = `${'(?=a+'.repeat(1_300)}${')'.repeat(1_300)}b{1000}c`;
const texts = { type: 'array', minItems: 100, items: { type: 'array', minItems: 100, items: { type: 'string', minLength: 100_000 } } };

const crowd: Flood = { times: 400, connections: 400 };
const packedBody = (): Sent => ({ path: chatPath, body: packed(), headers: { 'content-encoding': 'gzip' } });
const manyPacked = '400 bodies of 20 KB that unpack to 20 MB';
const manyForms = '60 forms of 120 MB at a time';

export const attacks: readonly Attack[] = [
  simple('A1', 'a tool whose 200 definitions each refer to the next twice', () => asking([tool('t', ladder(200))])),
  references(),
  conversation(),
  { ...simple('A4', `${manyPacked}, without money`, packedBody, crowd), isPoor: true },
  simple('A4-paid', `${manyPacked}, with money`, packedBody, crowd),
  simple(
    'A5',
    '5,000 readers of the OpenAPI document without a key, 320 at a time',
    () => ({ path: '/openapi.json', method: 'GET', hasKey: false }),
    { times: 5_000, connections: 320 },
  ),
  simple('A8', 'a pattern of nested look-aheads, 10,000 characters long', () =>
    shaped({ type: 'object', properties: { x: { type: 'string', pattern: nested, minLength: 10_000 } }, required: ['x'] }),
  ),
  simple('A10-wide', 'a schema of 100 branches with 100 names each', () => asking([tool('t', wide(100, 100))])),
  simple('A10-ladders', '128 tools with ladders of 100', () => asking(Array.from({ length: 128 }, (_, at) => tool(`t${at}`, ladder(100))))),
  simple('A10-chain', 'a chain of 150,000 references', () => asking([tool('t', chain(150_000))])),
  simple('A11-texts', '100 times 100 texts of 100,000 characters', () =>
    shaped({ type: 'object', properties: { x: texts }, required: ['x'] }),
  ),
  simple('A11-choices', '128 choices of 20,000 tokens with alternatives', () =>
    json(chatPath, {
      model: simulatedModel,
      messages: [{ role: 'user', content: 'write 20000 words' }],
      max_tokens: 20_000,
      n: 128,
      logprobs: true,
      top_logprobs: 20,
    }),
  ),
  { ...unfinished('A14-unfinished', 'without money'), isPoor: true },
  unfinished('A14-unfinished-paid', 'with money'),
  { ...simple('A14-forms', `${manyForms}, without money`, form, { times: 60, connections: 60 }), isPoor: true },
  simple('A14-forms-paid', `${manyForms}, with money`, form, { times: 60, connections: 60 }),
];
