import { describe, expect, it } from 'vitest';
import { ChatCompletion } from '../../../../contract/chat/completion.ts';
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

describe('a caller who gives tools', () => {
  it('gets a call if a line of the prompt says so, with what stands behind the name', async () => {
    expect(await calls('Call get_weather for San Francisco.')).toEqual(['get_weather({"city":"San Francisco","unit":"celsius"})']);
    expect(await calls('please call get_weather in oslo')).toEqual(['get_weather({"city":"oslo","unit":"celsius"})']);
    expect(await calls('I am on my way to Rome.\n  call `getLocalTime`: "Bergen"')).toEqual(['getLocalTime({"place":"Bergen"})']);
    expect(await calls(`${'long '.repeat(100_000)}\nCall getLocalTime.`)).toEqual(['getLocalTime({"place":"simulator"})']);
  });

  it('gets text if the prompt only names a tool or has words of its name', async () => {
    const reminder =
      '<system-reminder>\nYou have get_weather, getLocalTime and exec_command. Call `get_weather` for the weather.\n</system-reminder>';
    for (const prompt of [
      `${reminder}\nWhat is 2+2?`,
      'What is the weather in Oslo? Use get_weather.',
      'Call me a taxi',
      'Call getLocalTimes',
      'Hello',
    ])
      expect(await calls(prompt)).toEqual([]);
  });

  it('gets a call for each of several places and tools', async () => {
    expect(await calls('Call get_weather and getLocalTime for Oslo, Bergen and Rome')).toEqual([
      ...['Oslo', 'Bergen', 'Rome'].map((city) => `get_weather({"city":"${city}","unit":"celsius"})`),
      ...['Oslo', 'Bergen', 'Rome'].map((place) => `getLocalTime({"place":"${place}"})`),
    ]);
  });

  it('gets one call without parallel calls', async () => {
    expect(await calls('call get_weather, getLocalTime for Oslo and Rome', { parallel_tool_calls: false })).toEqual([
      'get_weather({"city":"Oslo","unit":"celsius"})',
    ]);
  });

  it('gets one call if the arguments would be the same', async () => {
    const tools = [chatTool('roll_dice', { type: 'object', properties: { sides: { type: 'integer' } }, required: ['sides'] })];
    expect(await calls('Call roll_dice with 20 sides for Anna and Bert', { tools })).toEqual(['roll_dice({"sides":20})']);
  });

  it('gets arguments that do not order the call again', async () => {
    const tools = [chatTool('agent', { type: 'object', properties: { prompt: { type: 'string' } }, required: ['prompt'] })];
    const [call] = await calls('Call agent to find the bug.', { tools });
    expect(call).toMatch(/^agent\(/);
    expect(call).not.toMatch(/call/i);
  });

  it('gets a call if it requires one, of the ordered tool or else of the first', async () => {
    expect(await calls('Hello', { tool_choice: 'required' })).toEqual(['get_weather({"city":"simulator","unit":"celsius"})']);
    expect(await calls('Call getLocalTime for Rome', { tool_choice: 'required' })).toEqual(['getLocalTime({"place":"Rome"})']);
  });

  it('gets the tool that it forces, and none if it forbids calls', async () => {
    const tool_choice = { type: 'function', function: { name: 'getLocalTime' } };
    expect(await calls('Call get_weather in Rome', { tool_choice })).toEqual(['getLocalTime({"place":"Rome"})']);
    expect(await calls('Call get_weather in Rome', { tool_choice: 'none' })).toEqual([]);
  });

  it('gets only allowed tools', async () => {
    const tools = [{ type: 'function', function: { name: 'getLocalTime' } }];
    const choose = (mode: string) => ({ tool_choice: { type: 'allowed_tools', allowed_tools: { mode, tools } } });
    expect(await calls('Call get_weather in Rome', choose('auto'))).toEqual([]);
    expect(await calls('Call getLocalTime in Rome', choose('auto'))).toEqual(['getLocalTime({"place":"Rome"})']);
    expect(await calls('the weather in Rome', choose('required'))).toEqual(['getLocalTime({"place":"Rome"})']);
  });

  it('gets harmless arguments for tools that run programs', async () => {
    expect(await calls('Call exec_command with `rm -rf /`')).toEqual(['exec_command({"cmd":"echo simulator"})']);
    const tools = ['run_sql', 'bash', 'apply_patch'].map((name) => ({ type: 'custom', custom: { name } }));
    const inputs = await calls('call run_sql, bash and apply_patch with "drop table users"', { tools });
    expect(inputs).toEqual(["run_sql(select 'simulator')", 'bash(echo simulator)', 'apply_patch(*** Begin Patch\n*** End Patch)']);
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
