/** Cases of the translation matrix: settings, and fields of one protocol only. */
import { ASK_FOR_OBJECT } from '../../server/dialects/non-openai/json-object.ts';
import { asking, body, type Case, dropped, refused } from './translation-case.ts';

const schema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'], additionalProperties: false };
const ada = { text: ['{"name":', '"Ada"}'] };
const everywhere = (param: string): Case['sent'] => ({
  responses: refused(param),
  anthropic: refused(param),
  gemini: refused(param),
  converse: refused(param),
});

export const settingCases: readonly Case[] = [
  {
    feature: 'structured output by a schema',
    rows: 'F08',
    ask: asking(
      { response_format: { type: 'json_schema', json_schema: { name: 'person', schema, strict: true } } },
      { text: { format: { type: 'json_schema', name: 'person', schema, strict: true } } },
    ),
    reply: ada,
    sent: {
      chat: body({ response_format: { type: 'json_schema', json_schema: { name: 'person', schema, strict: true } } }),
      responses: body({ text: { format: { type: 'json_schema', name: 'person', schema, strict: true } } }),
      anthropic: body({ output_config: { format: { type: 'json_schema', schema } } }),
      gemini: body({ generationConfig: { responseMimeType: 'application/json', responseJsonSchema: schema } }),
      converse: body({
        outputConfig: {
          textFormat: { type: 'json_schema', structure: { jsonSchema: { name: 'person', schema: JSON.stringify(schema) } } },
        },
      }),
    },
  },
  {
    feature: 'structured output, `strict` left out',
    rows: 'F08',
    ask: asking(
      { response_format: { type: 'json_schema', json_schema: { name: 'person', schema } } },
      { text: { format: { type: 'json_schema', name: 'person', schema } } },
    ),
    reply: ada,
    sent: {
      chat: body({ response_format: { json_schema: { strict: false } } }),
      responses: body({ text: { format: { strict: false } } }),
      anthropic: body({ output_config: { format: { schema } } }),
      gemini: body({ generationConfig: { responseJsonSchema: schema } }),
      converse: body({
        outputConfig: {
          textFormat: { type: 'json_schema', structure: { jsonSchema: { name: 'person', schema: JSON.stringify(schema) } } },
        },
      }),
    },
  },
  {
    feature: 'JSON without a schema (`json_object`)',
    rows: 'C9',
    ask: {
      chat: { messages: [{ role: 'user', content: 'Answer in JSON.' }], response_format: { type: 'json_object' } },
      responses: { input: [{ role: 'user', content: 'Answer in JSON.' }], text: { format: { type: 'json_object' } } },
    },
    reply: ada,
    sent: {
      chat: body({ response_format: { type: 'json_object' } }),
      responses: body({ text: { format: { type: 'json_object' } } }),
      anthropic: body({ system: ASK_FOR_OBJECT }),
      gemini: body({ generationConfig: { responseMimeType: 'application/json' } }),
      converse: body({ system: [{ text: ASK_FOR_OBJECT }] }),
    },
    how: { anthropic: 'in words', converse: 'in words' },
  },
  {
    feature: 'reasoning effort',
    ask: asking({ reasoning_effort: 'high' }, { reasoning: { effort: 'high' } }),
    reply: { thought: 'Let me think. ', text: 'Yes.' },
    sent: {
      chat: body({ reasoning_effort: 'high' }),
      responses: body({ reasoning: { effort: 'high' }, include: ['reasoning.encrypted_content'] }),
      anthropic: body({ thinking: { type: 'adaptive' }, output_config: { effort: 'high' } }),
      gemini: body({ generationConfig: { thinkingConfig: { thinkingLevel: 'HIGH' } } }),
      converse: body({ additionalModelRequestFields: { reasoningConfig: { type: 'enabled', maxReasoningEffort: 'high' } } }),
    },
  },
  {
    feature: '`temperature` and `top_p`',
    ask: asking({ temperature: 0.5, top_p: 0.9 }, { temperature: 0.5, top_p: 0.9 }),
    sent: {
      chat: body({ temperature: 0.5, top_p: 0.9 }),
      responses: body({ temperature: 0.5, top_p: 0.9 }),
      anthropic: body({ temperature: 0.5, top_p: 0.9 }),
      gemini: body({ generationConfig: { temperature: 0.5, topP: 0.9 } }),
      converse: body({ inferenceConfig: { temperature: 0.5, topP: 0.9 } }),
    },
  },
  {
    feature: '`temperature` above 1',
    ask: asking({ temperature: 1.5 }, { temperature: 1.5 }),
    sent: {
      chat: body({ temperature: 1.5 }),
      responses: body({ temperature: 1.5 }),
      anthropic: refused('temperature'),
      gemini: body({ generationConfig: { temperature: 1.5 } }),
      converse: refused('temperature'),
    },
  },
  {
    feature: '`stop` sequences',
    ask: asking({ stop: ['END', '---'] }, null),
    sent: {
      responses: refused('stop'),
      anthropic: body({ stop_sequences: ['END', '---'] }),
      gemini: body({ generationConfig: { stopSequences: ['END', '---'] } }),
      converse: body({ inferenceConfig: { stopSequences: ['END', '---'] } }),
    },
  },
  {
    feature: '`seed`',
    ask: asking({ seed: 7 }, null),
    sent: {
      responses: dropped('seed'),
      anthropic: refused('seed'),
      gemini: body({ generationConfig: { seed: 7 } }),
      converse: refused('seed'),
    },
  },
  { feature: '`n` above 1', ask: asking({ n: 2 }, null), sent: everywhere('n') },
  { feature: '`logit_bias`', ask: asking({ logit_bias: { '50256': -100 } }, null), sent: everywhere('logit_bias') },
  {
    feature: 'penalties',
    ask: asking({ presence_penalty: 0.5, frequency_penalty: 0.25 }, null),
    sent: {
      responses: refused('presence_penalty'),
      anthropic: refused('presence_penalty'),
      gemini: body({ generationConfig: { presencePenalty: 0.5, frequencyPenalty: 0.25 } }),
      converse: refused('presence_penalty'),
    },
  },
  { feature: '`prediction`', ask: asking({ prediction: { type: 'content', content: 'Hello' } }, null), sent: everywhere('prediction') },
  {
    feature: '`max_tool_calls`',
    ask: asking(null, { max_tool_calls: 3 }),
    sent: {
      chat: refused('max_tool_calls'),
      anthropic: refused('max_tool_calls'),
      gemini: refused('max_tool_calls'),
      converse: refused('max_tool_calls'),
    },
  },
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
    feature: 'a field that nobody knows',
    rows: 'F23',
    ask: asking({ x_new_field: { a: 1 } }, { x_new_field: { a: 1 } }),
    sent: {
      chat: dropped('x_new_field'),
      responses: dropped('x_new_field'),
      anthropic: dropped('x_new_field'),
      gemini: dropped('x_new_field'),
      converse: dropped('x_new_field'),
    },
  },
];
