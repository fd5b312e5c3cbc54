/** Cases of the translation matrix: custom tools, which take text instead of JSON. */
import { asking, type Case, served } from './translation-case.ts';

const grammar = { syntax: 'lark', definition: 'start: /.+/' };
const patchTool = { name: 'apply_patch', description: 'Changes files.' };
const patch = { id: 'call_patch', name: 'apply_patch', input: '*** Begin Patch\n"Grüße"\\n\n*** End Patch', custom: true };
const wrappedPatch = { input: patch.input };
const wrapperSchema = { type: 'object', properties: { input: { type: 'string' } }, required: ['input'] };

export const customCases: readonly Case[] = [
  {
    feature: 'custom (free-form) tool and its call',
    rows: 'F07',
    ask: asking(
      { tools: [{ type: 'custom', custom: { ...patchTool, format: { type: 'grammar', grammar } } }] },
      { tools: [{ type: 'custom', ...patchTool, format: { type: 'grammar', ...grammar } }] },
    ),
    reply: { calls: [patch] },
    sent: served({ toolConfig: { tools: [{ toolSpec: { name: 'apply_patch', inputSchema: { json: wrapperSchema } } }] } }),
  },
  {
    feature: 'custom tool result',
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
    sent: served({ messages: [{}, { content: [{ toolUse: { input: wrappedPatch } }] }, { content: [{ toolResult: {} }] }] }),
  },
];
