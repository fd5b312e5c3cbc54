/** POST /v1/responses without a stream: from the simulator by the contract, from a vendor byte by byte. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Response as ResponseObject } from '../../contract/responses.ts';
import { json } from '../fakes/delivery.ts';
import { type ResponseReply, response } from '../fakes/responses.ts';
import { startGateway, type TestGateway } from '../harness/gateway.ts';
import { type BehindVendor, bytesOf, openBehindVendor } from '../harness/vendor.ts';

const ask = { store: false, model: 'gpt-5.4', input: 'say hello' };
const outputText = ({ output }: ResponseObject) =>
  output
    .flatMap((item) => (item.type === 'message' ? item.content.map((part) => (part.type === 'output_text' ? part.text : '')) : []))
    .join('');

describe('over the simulator', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway();
  });
  afterAll(() => gateway.close());

  async function respond(more: Record<string, unknown>): Promise<ResponseObject> {
    const answer = await gateway.call('/responses', { json: { ...ask, ...more } });
    expect(answer.status).toBe(200);
    return ResponseObject.parse(await answer.json());
  }

  test('returns the text in the message item', async () => {
    const answer = await respond({});
    expect(outputText(answer)).toBe('hello');
    expect(answer).toMatchObject({ object: 'response', status: 'completed', model: 'gpt-5.4', error: null, incomplete_details: null });
    expect(answer).not.toHaveProperty('output_text');
  });

  test('F09: marks a response cut at the limit as incomplete, with the reason', async () => {
    const answer = await respond({ input: 'write 200 words', max_output_tokens: 16 });
    expect(answer).toMatchObject({ status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } });
  });

  test("continues from the previous turn's items with store: false", async () => {
    const first = await respond({ store: false, reasoning: { effort: 'low' }, include: ['reasoning.encrypted_content'] });
    const input = [{ role: 'user', content: 'say hello' }, ...first.output, { role: 'user', content: 'say bye' }];
    expect(outputText(await respond({ store: false, input }))).toBe('bye');
  });
});

describe('over a provider', () => {
  let vendor: BehindVendor;
  beforeAll(async () => {
    const models = [
      { id: 'gpt-5.4', kind: 'text' },
      { id: 'house', kind: 'text', upstreamModel: 'gpt-real' },
    ];
    vendor = await openBehindVendor({ upstream: { fields: { allow: ['x_new_field'] } }, settings: { models } });
  });
  afterAll(() => vendor.close());

  /** Valid JSON that no parser and writer would reproduce; nothing in it has to change. */
  const odd =
    '{ "store": false, "model" : "gpt-5.4",\n\t"input":[{"role":"user","content":"\\/ \\ud83c\\udf0d"}],' +
    '"temperature":1.0,"x_new_field":{"huge":12345678901234567890,"list":[ ]} }';

  test('forwards the request unchanged, down to the last space', async () => {
    expect((await vendor.post('/responses', odd)).status).toBe(200);
    expect(vendor.fake.last.body.toString()).toBe(odd);
  });

  test.each([
    ['leaves store out', odd.replace('"store": false, ', ''), (text: string) => `{"store":false,${text.slice(1)}`],
    ['wants to be stored', odd.replace('false', 'true'), (text: string) => text.replace('true', 'false')],
    ['sets store to null', odd.replace('false', 'null'), (text: string) => text.replace('null', 'false')],
  ])('sends `store: false` upstream for a caller who %s, and keeps all other bytes', async (_title, text, expected) => {
    expect((await vendor.post('/responses', text)).status).toBe(200);
    expect(vendor.fake.last.body.toString()).toBe(expected(text));
  });

  test.each([
    ['first', odd.replace('{ ', '{ "client_metadata": {"a":"b","n":1.0},')],
    ['in the middle', odd.replace('"temperature"', '"client_metadata":{"session":"1"},"temperature"')],
    ['last', odd.replace(/ }$/, ', "client_metadata":{"session":"1"} }')],
  ])('sends no client_metadata of a coding agent upstream, wherever it stands: %s', async (_title, text) => {
    expect((await vendor.post('/responses', text)).status).toBe(200);
    const plain = (json: string) =>
      json.replace(/,?\s*"client_metadata":\s*\{[^}]*\}(?=\s*\})|"client_metadata":\s*\{[^}]*\},/, '').replace(/\s/g, '');
    expect(plain(vendor.fake.last.body.toString())).toBe(plain(text));
    expect(vendor.fake.last.fields).not.toHaveProperty('client_metadata');
  });

  test("forwards a coding agent's turn with namespaces, custom tools, grammars and reasoning, without item IDs", async () => {
    const grammar = { type: 'grammar', syntax: 'lark', definition: 'start: /.+/' };
    const inner = {
      type: 'function',
      name: 'close_agent',
      strict: false,
      parameters: { type: 'object', properties: { model: { type: ['string', 'null'] } } },
    };
    const body = {
      model: 'gpt-5.4',
      stream: false,
      store: false,
      parallel_tool_calls: true,
      tool_choice: 'auto',
      include: ['reasoning.encrypted_content'],
      prompt_cache_key: 'thread-1',
      reasoning: { effort: 'medium', summary: 'auto', context: 'all_turns' },
      tools: [
        { type: 'custom', name: 'apply_patch', description: 'edits', format: grammar },
        { type: 'namespace', name: 'multi_agent_v1', description: '', tools: [inner] },
        { type: 'tool_search', execution: 'client', parameters: { type: 'object' } },
        { type: 'web_search', external_web_access: true, search_content_types: ['text'] },
      ],
      input: [
        { type: 'message', id: 'msg_1', role: 'developer', content: [{ type: 'input_text', text: 'rules' }] },
        { type: 'additional_tools', id: 'at_1', role: 'developer', tools: [{ type: 'custom', name: 'exec', format: grammar }] },
        { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'so' }], content: null, encrypted_content: 'ZmFrZQ==' },
        { type: 'custom_tool_call', id: 'ctc_1', status: 'completed', call_id: 'c1', name: 'apply_patch', input: '*** Begin Patch' },
        { type: 'custom_tool_call_output', id: 'ctco_1', call_id: 'c1', output: [{ type: 'input_text', text: 'done' }] },
        { type: 'function_call', id: 'fc_1', call_id: 'c2', name: 'close_agent', namespace: 'multi_agent_v1', arguments: '{"model":null}' },
        { type: 'function_call_output', id: 'fco_1', call_id: 'c2', output: 'closed' },
      ],
    };
    expect((await vendor.post('/responses', JSON.stringify(body))).status).toBe(200);
    expect(vendor.fake.last.json).toEqual({ ...body, input: body.input.map(({ id: _, ...item }) => item) });
  });

  const replies: readonly (readonly [title: string, reply: ResponseReply])[] = [
    ['a text', {}],
    ['reasoning and a text', { reasoning: 'thinking about it' }],
    ['a refusal', { refusal: 'No.' }],
    [
      'function and custom calls',
      {
        toolCalls: [
          { id: 'c1', name: 'f', arguments: '{"a":1}' },
          { id: 'c2', name: 'g', arguments: 'raw', custom: true },
        ],
      },
    ],
    ['an incomplete answer', { status: 'incomplete', incompleteReason: 'max_output_tokens' }],
  ];

  test.each(replies)('forwards %s unchanged', async (_title, reply) => {
    vendor.fake.next(json(response(reply)));
    const bytes = await bytesOf(await vendor.post('/responses', JSON.stringify(ask)));
    expect(bytes.equals(vendor.fake.last.sent)).toBe(true);
    ResponseObject.parse(JSON.parse(bytes.toString()));
  });

  test('renames only the model, in the request and in the response', async () => {
    vendor.fake.next(json(response({ model: 'gpt-real-2026-03-05', text: 'I am gpt-real, "model":"gpt-real".' })));
    const bytes = await bytesOf(await vendor.post('/responses', JSON.stringify({ ...ask, model: 'house' })));
    expect(vendor.fake.last.fields).toEqual({ ...ask, model: 'gpt-real', store: false });
    expect(bytes.toString()).toBe(vendor.fake.last.sent.toString().replace('"model":"gpt-real-2026-03-05"', '"model":"house"'));
  });

  test('logs the usage', async () => {
    const answer = await vendor.post('/responses', JSON.stringify(ask));
    expect(await vendor.gateway.lineOf(answer)).toMatchObject({
      route: '/v1/responses',
      end: 'completed',
      inputTokens: 11,
      outputTokens: 7,
    });
  });
});
