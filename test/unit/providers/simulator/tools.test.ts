import { describe, expect, it } from 'vitest';
import { ChatCompletion } from '../../../../contract/chat/completion.ts';
import { readRows } from '../../../fixtures/rows.ts';
import { chatTool, citySchema, readJson, send, type Wire } from './ask.ts';

const weather = chatTool('get_weather', citySchema);
const time = chatTool('getLocalTime', { type: 'object', properties: { place: { type: 'string' } }, required: ['place'] });
const shell = chatTool('exec_command', { type: 'object', properties: { cmd: { type: 'string' } }, required: ['cmd'] });

/** The calls of an answer as `name(arguments)`. */
async function calls(prompt: string, value: Wire = {}): Promise<string[]> {
  const body = { messages: [{ role: 'user', content: prompt }], tools: [weather, time, shell], ...value };
  const { choices } = ChatCompletion.parse(await readJson(send('createChatCompletion', body)));
  return (choices[0]?.message.tool_calls ?? []).map((call) => {
    if (call.type === 'function') return `${call.function.name}(${call.function.arguments})`;
    return call.type === 'custom' ? `${call.custom.name}(${call.custom.input})` : '';
  });
}

interface Row {
  readonly title: string;
  /** `{long}` is a line of half a million characters. */
  readonly prompt: string;
  readonly request?: Wire;
  readonly calls: readonly string[];
}

describe('a caller who gives tools', () => {
  it.each(readRows<Row>('simulated-calls'))('gets $title', async ({ prompt, request, calls: expected }) => {
    expect(await calls(prompt.replace('{long}', 'long '.repeat(100_000)), request)).toEqual(expected);
  });

  it('gets arguments that do not order the call again', async () => {
    const tools = [chatTool('agent', { type: 'object', properties: { prompt: { type: 'string' } }, required: ['prompt'] })];
    const [call] = await calls('Call agent to find the bug.', { tools });
    expect(call).toMatch(/^agent\(/);
    expect(call).not.toMatch(/call/i);
  });

  it('gets text after a tool result, also if it requires calls', async () => {
    const messages = [
      { role: 'user', content: 'Call get_weather for Rome' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'get_weather', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'call_1', content: '31 °C' },
    ];
    const body = { messages, tools: [weather], tool_choice: 'required' };
    const { choices } = ChatCompletion.parse(await readJson(send('createChatCompletion', body)));
    expect(choices[0]).toMatchObject({
      finish_reason: 'stop',
      message: { content: expect.stringContaining('get_weather answered: “31 °C”') },
    });
    expect(await calls('', { messages: [...messages, { role: 'user', content: 'Call get_weather for Bonn' }] })).toHaveLength(1);
  });
});
