/** Cases of the translation matrix: settings, and fields of one protocol only. */

import { JSON_OBJECT_INSTRUCTION } from '../../server/protocols/non-openai/json-mode.ts';
import { type Fate, fieldRows, kinds } from '../fixtures/fields.ts';
import { type Caller, callers, type Kind } from '../harness/pairs.ts';
import type { Fields } from './translation-callers.ts';
import { asking, body, type Case, dropped, rejected, type Sent, served } from './translation-case.ts';

const schema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'], additionalProperties: false };
const ada = { text: ['{"name":', '"Ada"}'] };
/** A call of the table of fields, where the bytes that it sends are tried. Here it is served, rejected or left out over HTTP. */
function fromTable(feature: string, calls: Readonly<Partial<Record<Caller, string>>>): Case {
  const ask: Partial<Record<Caller, Fields>> = {};
  const sent: Partial<Record<Kind, Partial<Record<Caller, Sent>>>> = {};
  for (const caller of callers) {
    const row = fieldRows[caller].find(({ call }) => call === calls[caller]);
    if (calls[caller] !== undefined && !row) throw new Error(`The table of fields has no ${calls[caller]}.`);
    if (!row) continue;
    ask[caller] = { ...asking({}, {})[caller], ...row.bodies(row.given)[0] };
    for (const [index, kind] of kinds.entries())
      sent[kind] = { ...sent[kind], [caller]: sentOf(row.at.slice(row.at.indexOf('.') + 1), row.fates[index]) };
  }
  return { feature, ask, sent };
}

function sentOf(name: string, fate: Fate | undefined): Sent {
  if (fate === 'rejected') return rejected(name);
  return fate === 'left out' || fate === 'unnamed' ? dropped(name) : body({});
}

export const settingCases: readonly Case[] = [
  {
    feature: 'structured output with a schema',
    rows: 'F08',
    ask: asking(
      { response_format: { type: 'json_schema', json_schema: { name: 'person', schema, strict: true } } },
      { text: { format: { type: 'json_schema', name: 'person', schema, strict: true } } },
    ),
    reply: ada,
    sent: served({
      outputConfig: {
        textFormat: { type: 'json_schema', structure: { jsonSchema: { name: 'person', schema: JSON.stringify(schema) } } },
      },
    }),
  },
  {
    feature: 'structured output, `strict` omitted',
    rows: 'F08',
    ask: asking(
      { response_format: { type: 'json_schema', json_schema: { name: 'person', schema } } },
      { text: { format: { type: 'json_schema', name: 'person', schema } } },
    ),
    reply: ada,
    sent: served({
      outputConfig: {
        textFormat: { type: 'json_schema', structure: { jsonSchema: { name: 'person', schema: JSON.stringify(schema) } } },
      },
    }),
  },
  {
    feature: 'JSON without a schema (`json_object`)',
    rows: 'C9',
    ask: {
      chat: { messages: [{ role: 'user', content: 'Answer in JSON.' }], response_format: { type: 'json_object' } },
      responses: { input: [{ role: 'user', content: 'Answer in JSON.' }], text: { format: { type: 'json_object' } } },
    },
    reply: ada,
    sent: served({ system: [{ text: JSON_OBJECT_INSTRUCTION }] }),
    how: { anthropic: 'by prompt', converse: 'by prompt' },
  },
  {
    feature: 'reasoning effort',
    ask: asking({ reasoning_effort: 'high' }, { reasoning: { effort: 'high' } }),
    reply: { thought: 'Let me think. ', text: 'Yes.' },
    sent: served({ additionalModelRequestFields: { reasoningConfig: { type: 'enabled', maxReasoningEffort: 'high' } } }),
  },
  {
    feature: '`temperature` and `top_p`',
    ask: asking({ temperature: 0.5, top_p: 0.9 }, { temperature: 0.5, top_p: 0.9 }),
    sent: served({ inferenceConfig: { temperature: 0.5, topP: 0.9 } }),
  },
  fromTable('`temperature` above 1', { chat: '{"temperature":1.5}', responses: '{"temperature":1.5}' }),
  fromTable('`stop` sequences', { chat: '{"stop":["a","marker"]}' }),
  fromTable('`seed`', { chat: '{"seed":7171}' }),
  fromTable('`n` above 1', { chat: '{"n":2}' }),
  fromTable('`logit_bias`', { chat: '{"logit_bias":{"50256":7}}' }),
  fromTable('penalties', { chat: '{"presence_penalty":0.5}' }),
  fromTable('`prediction`', { chat: '{"prediction":{"type":"content","content":"marker"}}' }),
  fromTable('`max_tool_calls`', { responses: '{"max_tool_calls":7}' }),
  {
    feature: 'hints (`metadata`, `user`, `prompt_cache_key`)',
    rows: 'F26',
    ask: asking({ metadata: { a: 'b' }, user: 'u', prompt_cache_key: 'k' }, { metadata: { a: 'b' }, user: 'u', prompt_cache_key: 'k' }),
    sent: {
      chat: body({ metadata: { a: 'b' }, user: 'u', prompt_cache_key: 'k' }),
      responses: body({ metadata: { a: 'b' }, user: 'u', prompt_cache_key: 'k' }),
      anthropic: dropped('prompt_cache_key'),
      gemini: dropped('prompt_cache_key'),
      converse: dropped('prompt_cache_key'),
    },
  },
  {
    feature: 'an unknown field',
    rows: 'F23',
    ask: asking({ x_new_field: { a: 1 } }, { x_new_field: { a: 1 } }),
    sent: {
      chat: { responses: dropped('x_new_field') },
      responses: { chat: dropped('x_new_field') },
      anthropic: dropped('x_new_field'),
      gemini: dropped('x_new_field'),
      converse: dropped('x_new_field'),
    },
  },
];
