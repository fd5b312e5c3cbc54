/** Cases of the translation matrix: tools of every form, their calls and results. */
import { drawPng } from '../fakes/images.ts';
import { seals } from '../harness/pairs.ts';
import { asking, type Case, served } from './translation-case.ts';

const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'], additionalProperties: false };
export const chatTool = (name: string, more = {}) => ({
  type: 'function',
  function: { name, description: `Asks ${name}.`, parameters, ...more },
});
export const flatTool = (name: string, more = {}) => ({ type: 'function', name, description: `Asks ${name}.`, parameters, ...more });
export const offering = (...names: string[]) => ({
  toolConfig: { tools: names.map((name) => ({ toolSpec: { name, description: `Asks ${name}.`, inputSchema: { json: parameters } } })) },
});

export const oslo = { id: 'call_oslo', name: 'get_rain', input: '{"city":"Oslo"}' };
const rome = { id: 'call_rome', name: 'get_wind', input: '{"city":"Rome"}' };

const png = drawPng(8, 8).toString('base64');
const picture = `data:image/png;base64,${png}`;

export const both = [chatTool('get_rain'), chatTool('get_wind')];
export const bothFlat = [flatTool('get_rain'), flatTool('get_wind')];

export const toolCases: readonly Case[] = [
  {
    feature: 'function tool and its call',
    rows: 'F24',
    ask: asking({ tools: [chatTool('get_rain')] }, { tools: [flatTool('get_rain')] }),
    reply: { calls: [oslo] },
    sent: served(offering('get_rain')),
  },
  {
    feature: 'strict function tool',
    ask: asking({ tools: [chatTool('get_rain', { strict: true })] }, { tools: [flatTool('get_rain', { strict: true })] }),
    reply: { calls: [oslo] },
    how: { converse: '`strict` omitted' },
    sent: served(offering('get_rain')),
  },
  {
    feature: 'text and parallel calls',
    rows: 'F06',
    ask: asking({ tools: both, parallel_tool_calls: true }, { tools: bothFlat, parallel_tool_calls: true }),
    reply: { text: 'I will look. ', calls: [oslo, rome, { ...oslo, id: 'call_bergen', input: '{"city":"Bergen ☕"}' }] },
    sent: served(offering('get_rain', 'get_wind')),
  },
  {
    feature: 'results of parallel calls',
    rows: 'F13',
    ask: {
      chat: {
        tools: both,
        messages: [
          { role: 'user', content: 'Weather?' },
          { role: 'assistant', content: null, tool_calls: [oslo, rome].map(chatCall) },
          { role: 'tool', tool_call_id: 'call_rome', content: 'calm' },
          { role: 'tool', tool_call_id: 'call_oslo', content: 'wet' },
        ],
      },
      responses: {
        tools: bothFlat,
        input: [
          { role: 'user', content: 'Weather?' },
          ...[oslo, rome].map(flatCall),
          { type: 'function_call_output', call_id: 'call_rome', output: 'calm' },
          { type: 'function_call_output', call_id: 'call_oslo', output: 'wet' },
        ],
      },
    },
    reply: { text: 'Wet and calm.' },
    sent: served({
      messages: [
        { role: 'user' },
        {
          role: 'assistant',
          content: [oslo, rome].map(({ id, name, input }) => ({ toolUse: { toolUseId: id, name, input: JSON.parse(input) } })),
        },
        {
          role: 'user',
          content: [
            { toolResult: { toolUseId: 'call_rome', content: [{ text: 'calm' }] } },
            { toolResult: { toolUseId: 'call_oslo', content: [{ text: 'wet' }] } },
          ],
        },
      ],
    }),
  },
  {
    feature: 'image in a tool result',
    ask: {
      responses: {
        tools: [flatTool('get_rain')],
        input: [
          { role: 'user', content: 'Weather?' },
          flatCall(oslo),
          {
            type: 'function_call_output',
            call_id: 'call_oslo',
            output: [
              { type: 'input_text', text: 'a map' },
              { type: 'input_image', image_url: picture, detail: 'auto' },
            ],
          },
        ],
      },
    },
    sent: served({
      messages: [
        {},
        {},
        { content: [{ toolResult: { content: [{ text: 'a map' }, { image: { format: 'png', source: { bytes: png } } }] } }] },
      ],
    }),
  },
  {
    feature: 'tools in a namespace',
    ask: asking(null, {
      tools: [{ type: 'namespace', name: 'crm', description: 'Customers.', tools: [flatTool('find')] }, flatTool('find')],
    }),
    reply: {
      calls: [
        { id: 'call_1', name: 'find', namespace: 'crm', input: '{"city":"Oslo"}' },
        { id: 'call_2', name: 'find', input: '{}' },
      ],
    },
    sent: served({ toolConfig: { tools: [{ toolSpec: { name: 'crm__find' } }, { toolSpec: { name: 'find' } }] } }),
  },
  {
    feature: 'encrypted reasoning, returned with a tool result',
    rows: 'F10',
    ask: asking(null, {
      tools: [flatTool('get_rain')],
      store: false,
      include: ['reasoning.encrypted_content'],
      reasoning: { effort: 'low' },
    }),
    reply: { thought: 'I should look it up.', calls: [oslo] },
    sequel: { add: [{ type: 'function_call_output', call_id: 'call_oslo', output: 'wet' }], reply: { text: 'It rains.' } },
    sent: served({
      messages: [
        { role: 'user' },
        {
          role: 'assistant',
          content: [
            { reasoningContent: { reasoningText: { text: 'I should look it up.', signature: seals.converse } } },
            { toolUse: { toolUseId: 'call_oslo', name: 'get_rain', input: { city: 'Oslo' } } },
          ],
        },
        { role: 'user' },
      ],
    }),
  },
];

function chatCall({ id, name, input }: { readonly id: string; readonly name: string; readonly input: string }) {
  return { id, type: 'function', function: { name, arguments: input } };
}

function flatCall({ id, name, input }: { readonly id: string; readonly name: string; readonly input: string }) {
  return { type: 'function_call', call_id: id, name, arguments: input };
}
