/** Cases of the translation matrix: tools of every form, their calls and results. */
import { drawPng } from '../fakes/images.ts';
import { seals } from '../harness/pairs.ts';
import { asking, body, type Case } from './translation-case.ts';

const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'], additionalProperties: false };
export const chatTool = (name: string, more = {}) => ({
  type: 'function',
  function: { name, description: `Asks ${name}.`, parameters, ...more },
});
export const flatTool = (name: string, more = {}) => ({ type: 'function', name, description: `Asks ${name}.`, parameters, ...more });
export const messagesTool = (name: string, more = {}) => ({ name, description: `Asks ${name}.`, input_schema: parameters, ...more });
export const declared = (...names: string[]) => ({
  tools: [{ functionDeclarations: names.map((name) => ({ name, description: `Asks ${name}.`, parametersJsonSchema: parameters })) }],
});
export const offering = (...names: string[]) => ({
  toolConfig: { tools: names.map((name) => ({ toolSpec: { name, description: `Asks ${name}.`, inputSchema: { json: parameters } } })) },
});
export const calling = (config: object) => ({ toolConfig: { functionCallingConfig: config } });

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
    sent: {
      // On chat, absent means false. On responses the upstream decides, and a chat upstream gets false.
      chat: body({ tools: [chatTool('get_rain', { strict: false })] }),
      responses: body({ tools: [flatTool('get_rain', { strict: false })] }),
      anthropic: body({ tools: [messagesTool('get_rain')] }),
      gemini: body(declared('get_rain')),
      converse: body(offering('get_rain')),
    },
  },
  {
    feature: 'strict function tool',
    ask: asking({ tools: [chatTool('get_rain', { strict: true })] }, { tools: [flatTool('get_rain', { strict: true })] }),
    reply: { calls: [oslo] },
    how: { converse: '`strict` left out' },
    sent: {
      chat: body({ tools: [chatTool('get_rain', { strict: true })] }),
      responses: body({ tools: [flatTool('get_rain', { strict: true })] }),
      anthropic: body({ tools: [messagesTool('get_rain', { strict: true })] }),
      gemini: body({ ...declared('get_rain'), ...calling({ mode: 'VALIDATED' }) }),
      converse: body(offering('get_rain')),
    },
  },
  {
    feature: 'text and parallel calls',
    rows: 'F06',
    ask: asking({ tools: both, parallel_tool_calls: true }, { tools: bothFlat, parallel_tool_calls: true }),
    reply: { text: 'I will look. ', calls: [oslo, rome, { ...oslo, id: 'call_bergen', input: '{"city":"Bergen ☕"}' }] },
    sent: {
      chat: body({ parallel_tool_calls: true }),
      responses: body({ parallel_tool_calls: true }),
      anthropic: body({ tools: [{ name: 'get_rain' }, { name: 'get_wind' }] }),
      gemini: body(declared('get_rain', 'get_wind')),
      converse: body(offering('get_rain', 'get_wind')),
    },
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
    sent: {
      chat: body({
        messages: [
          { role: 'user', content: 'Weather?' },
          { role: 'assistant', tool_calls: [oslo, rome].map(chatCall) },
          { role: 'tool', tool_call_id: 'call_rome', content: 'calm' },
          { role: 'tool', tool_call_id: 'call_oslo', content: 'wet' },
        ],
      }),
      responses: body({
        input: [
          { role: 'user' },
          ...[oslo, rome].map(flatCall),
          { type: 'function_call_output', call_id: 'call_rome', output: 'calm' },
          { type: 'function_call_output', call_id: 'call_oslo', output: 'wet' },
        ],
      }),
      anthropic: body({
        messages: [
          { role: 'user' },
          {
            role: 'assistant',
            content: [oslo, rome].map(({ id, name, input }) => ({ type: 'tool_use', id, name, input: JSON.parse(input) })),
          },
          {
            role: 'user',
            content: [
              { type: 'tool_result', tool_use_id: 'call_rome', content: 'calm' },
              { type: 'tool_result', tool_use_id: 'call_oslo', content: 'wet' },
            ],
          },
        ],
      }),
      gemini: body({
        contents: [
          { role: 'user' },
          { role: 'model', parts: [oslo, rome].map(({ name, input }) => ({ functionCall: { name, args: JSON.parse(input) } })) },
          {
            role: 'user',
            parts: [
              // Without ids of its own, the vendor joins results and calls by their order.
              { functionResponse: { name: 'get_rain', response: { result: 'wet' } } },
              { functionResponse: { name: 'get_wind', response: { result: 'calm' } } },
            ],
          },
        ],
      }),
      converse: body({
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
  },
  {
    feature: 'image in the result of a tool',
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
    sent: {
      chat: body({
        messages: [
          { role: 'user' },
          { role: 'assistant' },
          { role: 'tool', content: 'a map' },
          { role: 'user', content: [{ type: 'image_url', image_url: { url: picture } }] },
        ],
      }),
      anthropic: body({
        messages: [
          {},
          {},
          {
            content: [
              {
                type: 'tool_result',
                content: [
                  { type: 'text', text: 'a map' },
                  { type: 'image', source: { data: png } },
                ],
              },
            ],
          },
        ],
      }),
      gemini: body({
        contents: [
          {},
          {},
          { parts: [{ functionResponse: { response: { result: 'a map' } } }, { inlineData: { mimeType: 'image/png', data: png } }] },
        ],
      }),
      converse: body({
        messages: [
          {},
          {},
          { content: [{ toolResult: { content: [{ text: 'a map' }, { image: { format: 'png', source: { bytes: png } } }] } }] },
        ],
      }),
    },
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
    sent: {
      chat: body({ tools: [{ function: { name: 'crm__find' } }, { function: { name: 'find' } }] }),
      anthropic: body({ tools: [{ name: 'crm__find' }, { name: 'find' }] }),
      gemini: body({ tools: [{ functionDeclarations: [{ name: 'crm__find' }, { name: 'find' }] }] }),
      converse: body({ toolConfig: { tools: [{ toolSpec: { name: 'crm__find' } }, { toolSpec: { name: 'find' } }] } }),
    },
  },
  {
    feature: 'reasoning, sealed, back with the result of a tool',
    rows: 'F10',
    ask: asking(null, {
      tools: [flatTool('get_rain')],
      store: false,
      include: ['reasoning.encrypted_content'],
      reasoning: { effort: 'low' },
    }),
    reply: { thought: 'I should look it up.', calls: [oslo] },
    sequel: { add: [{ type: 'function_call_output', call_id: 'call_oslo', output: 'wet' }], reply: { text: 'It rains.' } },
    sent: {
      // A chat upstream has no field for reasoning, and reasoning is never sent as text.
      chat: body({ messages: [{ role: 'user' }, { role: 'assistant', tool_calls: [chatCall(oslo)] }, { role: 'tool', content: 'wet' }] }),
      anthropic: body({
        messages: [
          { role: 'user' },
          {
            role: 'assistant',
            content: [
              { type: 'thinking', thinking: 'I should look it up.', signature: seals.anthropic },
              { type: 'tool_use', id: 'call_oslo', name: 'get_rain', input: { city: 'Oslo' } },
            ],
          },
          { role: 'user' },
        ],
      }),
      gemini: body({
        contents: [
          { role: 'user' },
          { role: 'model', parts: [{ functionCall: { id: 'call_oslo', name: 'get_rain' }, thoughtSignature: seals.gemini }] },
          { role: 'user', parts: [{ functionResponse: { id: 'call_oslo', name: 'get_rain' } }] },
        ],
      }),
      converse: body({
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
  },
];

function chatCall({ id, name, input }: { readonly id: string; readonly name: string; readonly input: string }) {
  return { id, type: 'function', function: { name, arguments: input } };
}

function flatCall({ id, name, input }: { readonly id: string; readonly name: string; readonly input: string }) {
  return { type: 'function_call', call_id: id, name, arguments: input };
}
