import { describe, expect, it } from 'vitest';
import { Response } from '../../../../contract/responses.ts';
import { citySchema, functionTool, readJson, send, startedAt, type Wire } from './ask.ts';

async function respond(value: Wire) {
  return Response.parse(await readJson(send('createResponse', value)));
}

describe('a responses caller of the simulator', () => {
  it('gets every key of a response, filled with its defaults', async () => {
    const response = await respond({ input: 'repeat: Hi' });
    expect(response).toEqual({
      id: expect.stringMatching(/^resp_/),
      object: 'response',
      created_at: startedAt,
      completed_at: startedAt,
      status: 'completed',
      error: null,
      incomplete_details: null,
      instructions: null,
      model: 'gpt-5.4',
      output: [
        {
          id: expect.stringMatching(/^msg_/),
          type: 'message',
          role: 'assistant',
          status: 'completed',
          content: [{ type: 'output_text', text: 'Hi', annotations: [], logprobs: [] }],
        },
      ],
      previous_response_id: null,
      tools: [],
      tool_choice: 'auto',
      parallel_tool_calls: true,
      max_tool_calls: null,
      text: { format: { type: 'text' }, verbosity: 'medium' },
      reasoning: { effort: null, summary: null },
      temperature: 1,
      top_p: 1,
      presence_penalty: 0,
      frequency_penalty: 0,
      top_logprobs: 0,
      max_output_tokens: null,
      truncation: 'disabled',
      store: true,
      background: false,
      service_tier: 'default',
      metadata: {},
      safety_identifier: null,
      prompt_cache_key: null,
      user: null,
      usage: {
        input_tokens: 3,
        input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
        output_tokens: 1,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: 4,
      },
    });
  });

  it('gets its own settings echoed', async () => {
    const settings = {
      instructions: 'Be brief.',
      previous_response_id: 'resp_before',
      tool_choice: 'none',
      parallel_tool_calls: false,
      temperature: 0.2,
      top_p: 0.5,
      max_output_tokens: 500,
      truncation: 'auto',
      store: false,
      metadata: { team: 'a' },
      safety_identifier: 's',
      prompt_cache_key: 'k',
      user: 'u',
      service_tier: 'priority',
    };
    const response = await respond({
      ...settings,
      input: 'hi',
      tools: [functionTool('f', { type: 'object' })],
      text: { verbosity: 'low' },
    });
    expect(response).toMatchObject(settings);
    expect(response.text).toEqual({ format: { type: 'text' }, verbosity: 'low' });
    expect(response.tools).toEqual([{ type: 'function', name: 'f', description: null, parameters: { type: 'object' }, strict: null }]);
  });

  it('gets defaults for null', async () => {
    const nulls = {
      instructions: null,
      tools: null,
      temperature: null,
      store: null,
      metadata: null,
      reasoning: null,
      text: null,
      include: null,
    };
    const response = await respond({ ...nulls, input: 'hi' });
    expect(response).toMatchObject({ tools: [], temperature: 1, store: true, metadata: {}, text: { verbosity: 'medium' } });
  });

  it('gets reasoning before the message if it sets an effort, encrypted on request', async () => {
    const plain = await respond({ input: 'Why?', reasoning: { effort: 'medium', summary: 'auto' } });
    expect(plain.output.map(({ type }) => type)).toEqual(['reasoning', 'message']);
    expect(Object.keys(plain.output[0] ?? {}).toSorted()).toEqual(['id', 'summary', 'type']);
    expect(plain.reasoning).toEqual({ effort: 'medium', summary: 'auto' });
    expect(plain.usage?.output_tokens_details?.reasoning_tokens).toBe(32);
    expect(plain.usage?.output_tokens).toBeGreaterThan(32);
    const sealed = await respond({ input: 'Why?', reasoning: { effort: 'low' }, include: ['reasoning.encrypted_content'] });
    expect(sealed.output[0]).toMatchObject({ encrypted_content: expect.stringMatching(/^[\w+/]+=*$/) });
    const none = await respond({ input: 'Why?', reasoning: { effort: 'none' } });
    expect(none.output.map(({ type }) => type)).toEqual(['message']);
  });

  it('gets an incomplete response at the token limit', async () => {
    const response = await respond({ input: 'count to 100', max_output_tokens: 16 });
    expect(response).toMatchObject({ status: 'incomplete', completed_at: null, incomplete_details: { reason: 'max_output_tokens' } });
    expect(response.output).toMatchObject([{ type: 'message', status: 'incomplete' }]);
    expect(response.usage?.output_tokens).toBe(16);
  });

  it('gets incomplete reasoning and no message if the limit falls into the reasoning', async () => {
    const response = await respond({ input: 'hi', max_output_tokens: 16, reasoning: { effort: 'high' } });
    expect(response.output).toMatchObject([{ type: 'reasoning', status: 'incomplete' }]);
    expect(response.usage).toMatchObject({ output_tokens: 16, output_tokens_details: { reasoning_tokens: 16 } });
  });

  it('gets an answer to the last user message of a conversation', async () => {
    const response = await respond({
      input: [
        { role: 'user', content: 'first question' },
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'an answer' }] },
        {
          role: 'user',
          content: [
            { type: 'input_text', text: 'second question' },
            { type: 'input_image', image_url: 'data:image/webp;base64,AA' },
          ],
        },
      ],
    });
    const text = JSON.stringify(response.output);
    expect(text).toContain('second question');
    expect(text).not.toContain('first question');
    expect(text).toContain('1 image (image/webp)');
  });

  it('gets tool calls, then an answer that quotes the results', async () => {
    const tools = [functionTool('get_weather', citySchema)];
    const question = { role: 'user', content: 'Call get_weather for Oslo and Paris.' };
    const { output } = await respond({ input: [question], tools });
    expect(output).toMatchObject([
      { type: 'function_call', status: 'completed', name: 'get_weather', arguments: '{"city":"Oslo","unit":"celsius"}' },
      { type: 'function_call', status: 'completed', name: 'get_weather', arguments: '{"city":"Paris","unit":"celsius"}' },
    ]);
    const results = output.map((call, index) => ({ type: 'function_call_output', call_id: call.call_id, output: `${index + 1} degrees` }));
    const after = await respond({ input: [question, ...output, ...results], tools });
    expect(after.output).toHaveLength(1);
    const text = JSON.stringify(after.output);
    expect(text).toContain('The tool get_weather answered: “1 degrees”. The tool get_weather answered: “2 degrees”.');
  });

  it('gets a call into a namespace by its bare name and the namespace', async () => {
    const tools = [{ type: 'namespace', name: 'agents', description: '', tools: [functionTool('close_agent', citySchema)] }];
    const { output } = await respond({ input: [{ role: 'user', content: 'Call close_agent' }], tools });
    expect(output).toMatchObject([{ type: 'function_call', name: 'close_agent', namespace: 'agents' }]);
  });

  it('may declare tools in the input', async () => {
    const tools = [{ type: 'namespace', name: 'functions', tools: [{ type: 'custom', name: 'exec' }] }];
    const input = [
      { type: 'additional_tools', role: 'developer', tools },
      { role: 'user', content: 'Call exec to list files; rm -rf /' },
    ];
    const { output } = await respond({ input });
    expect(output).toEqual([
      {
        id: expect.stringMatching(/^ctc_/),
        type: 'custom_tool_call',
        call_id: expect.stringMatching(/^call_/),
        name: 'exec',
        namespace: 'functions',
        input: '"simulator"',
      },
    ]);
  });

  it('gets 400 for a tool_choice of a hosted tool', async () => {
    const answer = await send('createResponse', {
      input: 'hi',
      tools: [{ type: 'web_search' }],
      tool_choice: { type: 'web_search_preview' },
    });
    expect(answer.status).toBe(400);
    expect(await readJson(answer)).toMatchObject({ error: { code: 'unsupported_value', param: 'tool_choice' } });
  });

  it('gets log probabilities if it includes them', async () => {
    const response = await respond({ input: 'repeat: one two', include: ['message.output_text.logprobs'], top_logprobs: 2 });
    const [item] = response.output;
    expect(item).toMatchObject({ content: [{ logprobs: [{ token: 'one' }, { token: ' two', top_logprobs: [{}, {}] }] }] });
    expect(response.top_logprobs).toBe(2);
  });
});
