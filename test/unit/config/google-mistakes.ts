/** Mistakes in `google` of an upstream and in its `auth`; part of the table of `rejected.test.ts`. */
import type { Mistake } from './mistakes.ts';

const upstream = (...keys: readonly string[]): readonly string[] => ['upstreams:', '  a:', ...keys.map((key) => `    ${key}`)];
const vertex = 'google: { project: my-project }';
const credentials = (text: string) => upstream('kind: gemini', vertex, `auth: { type: google, credentials: '${text}' }`);
const at = { at: '5:27', key: 'upstreams.a.auth.credentials' };

export const googleMistakes: readonly Mistake[] = [
  {
    what: 'Vertex without a project',
    lines: upstream('kind: gemini', 'google: { location: eu }'),
    at: '4:5',
    key: 'upstreams.a.google.project',
    message: /is missing/,
    remedy: /project: my-project/,
  },
  {
    what: 'Vertex with a kind that it does not serve',
    lines: upstream('kind: openai', vertex),
    at: '4:5',
    key: 'upstreams.a.google',
    message: /isn't supported for this kind/,
    remedy: /gemini, anthropic, openai-compatible/,
  },
  {
    what: 'a key of express mode with a location',
    lines: upstream('kind: gemini', 'google: { location: eu }', 'apiKey: k'),
    at: '4:15',
    key: 'upstreams.a.google.location',
    message: /apiKey \(express mode\)/,
    remedy: /Remove location, or remove apiKey/,
  },
  {
    what: 'a key for Claude on Vertex',
    lines: upstream('kind: anthropic', vertex, 'apiKey: k'),
    at: '4:5',
    key: 'upstreams.a.google',
    message: /only for kind gemini/,
    remedy: /Remove apiKey/,
  },
  {
    what: 'a key beside access tokens of Google',
    lines: upstream('kind: gemini', vertex, 'apiKey: k', 'auth: { type: google }'),
    at: '5:5',
    key: 'upstreams.a.apiKey',
    message: /can't be combined with auth\.type 'google'/,
  },
  { what: 'credentials of Google that are no JSON', lines: credentials('{"type": "service_account"'), ...at, message: /isn't valid JSON/ },
  {
    what: 'credentials of Google without their key',
    lines: credentials('{"type":"service_account","client_email":"a@b.example"}'),
    ...at,
    message: /has a missing or invalid private_key$/,
    remedy: /path of a key file/,
  },
  {
    what: 'credentials of Google of another type',
    lines: credentials('{"type":"gdch_service_account"}'),
    ...at,
    message: /credential type that isn't supported/,
  },
  {
    what: 'a token endpoint without TLS',
    lines: credentials('{"type":"service_account","client_email":"a@b.example","private_key":"k","token_uri":"http://a.example/token"}'),
    ...at,
    message: /missing or invalid token_uri/,
  },
  {
    what: 'Gemini of the third generation over the OpenAI-shaped endpoint of Vertex',
    lines: [
      ...upstream('kind: openai-compatible', vertex),
      'models:',
      '  - { id: m, kind: text, prices: free, candidates: [{ upstream: a, upstreamModel: google/gemini-3.5-flash }] }',
    ],
    at: '6:68',
    key: 'models[0].candidates[0].upstreamModel',
    message: /tool calls need signatures/,
    remedy: /kind gemini/,
  },
];
