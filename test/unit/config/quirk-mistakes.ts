/** Mistakes in compatible upstreams and in sizes of models, for the table of `rejected.test.ts`. */
import type { Mistake } from './mistakes.ts';

export const quirkMistakes: readonly Mistake[] = [
  {
    what: 'a compatible upstream without a base URL',
    lines: ['upstreams:', '  a: { kind: openai-compatible }'],
    at: '2:3',
    key: 'upstreams.a.baseUrl',
    message: /is missing/,
    remedy: /For example baseUrl: http:/,
  },
  {
    what: 'an unknown quirk',
    lines: ['upstreams:', '  a:', '    kind: openai-compatible', '    baseUrl: http://a.example/v1', '    quirks: { maxTokenField: x }'],
    at: '5:15',
    key: 'upstreams.a.quirks.maxTokenField',
    message: /isn't a known key/,
    remedy: /Did you mean maxTokensField\?/,
  },
  {
    what: 'an unknown value of a quirk',
    lines: [
      'upstreams:',
      '  a:',
      '    kind: openai-compatible',
      '    baseUrl: http://a.example/v1',
      '    quirks: { structuredOutput: jsn }',
    ],
    at: '5:15',
    key: 'upstreams.a.quirks.structuredOutput',
    message: /one of schema, json, none \(did you mean json\?\)/,
  },
  {
    what: 'a quirk on an upstream of kind openai',
    lines: ['upstreams:', '  a: { kind: openai, quirks: { hints: false } }'],
    at: '2:22',
    key: 'upstreams.a.quirks',
    message: /isn't a known key/,
  },
  {
    what: 'a model with maxOutputTokens 0',
    lines: ['models:', '  - { id: a, kind: text, maxOutputTokens: 0 }'],
    at: '2:26',
    key: 'models[0].maxOutputTokens',
    message: /must be at least 1/,
    remedy: /For example maxOutputTokens: 64000/,
  },
];
