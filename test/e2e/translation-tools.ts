/** Cases of the translation matrix: tools of every form, their choice, their calls and results. */
import { drawPng } from '../fakes/images.ts';
import { seals } from '../harness/pairs.ts';
import { asking, body, type Case, refused } from './translation-case.ts';

const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'], additionalProperties: false };
const chatTool = (name: string, more = {}) => ({ type: 'function', function: { name, description: `Asks ${name}.`, parameters, ...more } });
const flatTool = (name: string, more = {}) => ({ type: 'function', name, description: `Asks ${name}.`, parameters, ...more });
const messagesTool = (name: string, more = {}) => ({ name, description: `Asks ${name}.`, input_schema: parameters, ...more });
const declared = (...names: string[]) => ({
  tools: [{ functionDeclarations: names.map((name) => ({ name, description: `Asks ${name}.`, parametersJsonSchema: parameters })) }],
});
const calling = (config: object) => ({ toolConfig: { functionCallingConfig: config } });

const oslo = { id: 'call_oslo', name: 'get_rain', input: '{"city":"Oslo"}' };
const rome = { id: 'call_rome', name: 'get_wind', input: '{"city":"Rome"}' };

const grammar = { syntax: 'lark', definition: 'start: /.+/' };
const patchTool = { name: 'apply_patch', description: 'Changes files.' };
const patch = { id: 'call_patch', name: 'apply_patch', input: '*** Begin Patch\n"Grüße"\\n\n*** End Patch', custom: true };
const wrappedPatch = { input: patch.input };
const wrapperSchema = { type: 'object', properties: { input: { type: 'string' } }, required: ['input'] };

const png = drawPng(8, 8).toString('base64');
const picture = `data:image/png;base64,${png}`;

const both = [chatTool('get_rain'), chatTool('get_wind')];
const bothFlat = [flatTool('get_rain'), flatTool('get_wind')];

export const toolCases: readonly Case[] = [
  {
    feature: 'function tool and its call',
    rows: 'F24',
    ask: asking({ tools: [chatTool('get_rain')] }, { tools: [flatTool('get_rain')] }),
    reply: { calls: [oslo] },
    sent: {
      // Absent means false on chat; on responses the upstream decides, and a chat upstream is told that it need not be strict.
      chat: body({ tools: [chatTool('get_rain', { strict: false })] }),
      responses: body({ tools: [flatTool('get_rain', { strict: false })] }),
      anthropic: body({ tools: [messagesTool('get_rain')] }),
      gemini: body(declared('get_rain')),
    },
  },
  {
    feature: 'strict function tool',
    ask: asking({ tools: [chatTool('get_rain', { strict: true })] }, { tools: [flatTool('get_rain', { strict: true })] }),
    reply: { calls: [oslo] },
    sent: {
      chat: body({ tools: [chatTool('get_rain', { strict: true })] }),
      responses: body({ tools: [flatTool('get_rain', { strict: true })] }),
      anthropic: body({ tools: [messagesTool('get_rain', { strict: true })] }),
      gemini: body({ ...declared('get_rain'), ...calling({ mode: 'VALIDATED' }) }),
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
          { role: 'model', parts: [oslo, rome].map(({ id, name, input }) => ({ functionCall: { id, name, args: JSON.parse(input) } })) },
          {
            role: 'user',
            parts: [
              { functionResponse: { id: 'call_rome', name: 'get_wind', response: { result: 'calm' } } },
              { functionResponse: { id: 'call_oslo', name: 'get_rain', response: { result: 'wet' } } },
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
    },
  },
  {
    feature: 'custom (free-form) tool and its call',
    rows: 'F07',
    ask: asking(
      { tools: [{ type: 'custom', custom: { ...patchTool, format: { type: 'grammar', grammar } } }] },
      { tools: [{ type: 'custom', ...patchTool, format: { type: 'grammar', ...grammar } }] },
    ),
    reply: { calls: [patch] },
    sent: {
      chat: body({ tools: [{ type: 'function', function: { name: 'apply_patch', parameters: wrapperSchema } }] }),
      responses: body({ tools: [{ type: 'custom', ...patchTool, format: { type: 'grammar', ...grammar } }] }),
      anthropic: body({ tools: [{ name: 'apply_patch', input_schema: wrapperSchema }] }),
      gemini: body({ tools: [{ functionDeclarations: [{ name: 'apply_patch', parametersJsonSchema: wrapperSchema }] }] }),
    },
  },
  {
    feature: 'result of a custom tool',
    rows: 'F07',
    ask: {
      chat: {
        tools: [{ type: 'custom', custom: patchTool }],
        messages: [
          { role: 'user', content: 'Patch.' },
          {
            role: 'assistant',
            content: null,
            tool_calls: [{ id: patch.id, type: 'custom', custom: { name: patch.name, input: patch.input } }],
          },
          { role: 'tool', tool_call_id: patch.id, content: 'done' },
        ],
      },
      responses: {
        tools: [{ type: 'custom', ...patchTool }],
        input: [
          { role: 'user', content: 'Patch.' },
          { type: 'custom_tool_call', call_id: patch.id, name: patch.name, input: patch.input },
          { type: 'custom_tool_call_output', call_id: patch.id, output: 'done' },
        ],
      },
    },
    sent: {
      chat: body({
        messages: [
          {},
          { tool_calls: [{ id: patch.id, type: 'function', function: { name: patch.name, arguments: JSON.stringify(wrappedPatch) } }] },
          { role: 'tool', content: 'done' },
        ],
      }),
      responses: body({
        input: [
          {},
          { type: 'custom_tool_call', call_id: patch.id, name: patch.name, input: patch.input },
          { type: 'custom_tool_call_output', call_id: patch.id, output: 'done' },
        ],
      }),
      anthropic: body({ messages: [{}, { content: [{ type: 'tool_use', input: wrappedPatch }] }, { content: [{ type: 'tool_result' }] }] }),
      gemini: body({
        contents: [{}, { parts: [{ functionCall: { args: wrappedPatch } }] }, { parts: [{ functionResponse: { name: patch.name } }] }],
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
    },
  },
  {
    feature: '`tool_choice`: none',
    ask: asking({ tools: both, tool_choice: 'none' }, { tools: bothFlat, tool_choice: 'none' }),
    sent: {
      chat: body({ tool_choice: 'none' }),
      responses: body({ tool_choice: 'none' }),
      anthropic: body({ tool_choice: { type: 'none' } }),
      gemini: body(calling({ mode: 'NONE' })),
    },
  },
  {
    feature: '`tool_choice`: required',
    ask: asking({ tools: both, tool_choice: 'required' }, { tools: bothFlat, tool_choice: 'required' }),
    reply: { calls: [oslo] },
    sent: {
      chat: body({ tool_choice: 'required' }),
      responses: body({ tool_choice: 'required' }),
      anthropic: body({ tool_choice: { type: 'any' } }),
      gemini: body(calling({ mode: 'ANY' })),
    },
  },
  {
    feature: '`tool_choice`: one tool by name',
    ask: asking(
      { tools: both, tool_choice: { type: 'function', function: { name: 'get_rain' } } },
      { tools: bothFlat, tool_choice: { type: 'function', name: 'get_rain' } },
    ),
    reply: { calls: [oslo] },
    sent: {
      chat: body({ tool_choice: { type: 'function', function: { name: 'get_rain' } } }),
      responses: body({ tool_choice: { type: 'function', name: 'get_rain' } }),
      anthropic: body({ tool_choice: { type: 'tool', name: 'get_rain' } }),
      gemini: body(calling({ mode: 'ANY', allowedFunctionNames: ['get_rain'] })),
    },
  },
  {
    feature: '`tool_choice`: allowed_tools',
    ask: asking(
      {
        tools: both,
        tool_choice: {
          type: 'allowed_tools',
          allowed_tools: { mode: 'auto', tools: [{ type: 'function', function: { name: 'get_rain' } }] },
        },
      },
      { tools: bothFlat, tool_choice: { type: 'allowed_tools', mode: 'auto', tools: [{ type: 'function', name: 'get_rain' }] } },
    ),
    reply: { calls: [oslo] },
    sent: {
      chat: body({
        tool_choice: {
          type: 'allowed_tools',
          allowed_tools: { mode: 'auto', tools: [{ type: 'function', function: { name: 'get_rain' } }] },
        },
      }),
      responses: body({ tool_choice: { type: 'allowed_tools', mode: 'auto', tools: [{ type: 'function', name: 'get_rain' }] } }),
      anthropic: body({ tools: [messagesTool('get_rain')], tool_choice: { type: 'auto' } }),
      gemini: body(calling({ mode: 'VALIDATED', allowedFunctionNames: ['get_rain'] })),
    },
  },
  {
    feature: '`parallel_tool_calls`: false',
    ask: asking({ tools: both, parallel_tool_calls: false }, { tools: bothFlat, parallel_tool_calls: false }),
    reply: { calls: [oslo] },
    sent: {
      chat: body({ parallel_tool_calls: false }),
      responses: body({ parallel_tool_calls: false }),
      anthropic: body({ tool_choice: { type: 'auto', disable_parallel_tool_use: true } }),
      gemini: refused('parallel_tool_calls'),
    },
  },
  {
    feature: 'hosted web search, offered',
    ask: asking(null, { tools: [{ type: 'web_search' }, flatTool('get_rain')] }),
    sent: {
      chat: body({ tools: [{ type: 'function', function: { name: 'get_rain' } }] }),
      anthropic: body({ tools: [messagesTool('get_rain')] }),
      gemini: body(declared('get_rain')),
    },
  },
  {
    feature: 'hosted web search, forced',
    ask: asking(null, { tools: [{ type: 'web_search' }], tool_choice: { type: 'web_search' } }),
    sent: { chat: refused('tool_choice'), anthropic: refused('tool_choice'), gemini: refused('tool_choice') },
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
      // A chat upstream has no place for thoughts, and they are never sent as text.
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
          { role: 'model', parts: [{ functionCall: { name: 'get_rain' }, thoughtSignature: seals.gemini }] },
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
