/** What `google` of an upstream fills in: the address by kind and location, and how requests authenticate; and what the file says itself goes before. */
import { expect, test } from 'vitest';
import { getKeyHeaders, getKindHeaders } from '../../../server/config/key-headers.ts';
import { getRequestUrl } from '../../../server/providers/clouds/find-envelope.ts';
import { configureUpstream } from '../settings.ts';

const project = 'my-project';
const paths = {
  gemini: '/models/gemini-3.5-flash:generateContent',
  anthropic: '/messages',
  'openai-compatible': '/chat/completions',
} as const;
const models = { gemini: 'gemini-3.5-flash', anthropic: 'claude-sonnet-4-5@20250929', 'openai-compatible': 'meta/llama' } as const;

const ofGemini = 'publishers/google/models/gemini-3.5-flash:generateContent';
test.each([
  ['gemini', { project }, `aiplatform.googleapis.com/v1/projects/my-project/locations/global/${ofGemini}`],
  ['gemini', { project, location: 'global' }, `aiplatform.googleapis.com/v1/projects/my-project/locations/global/${ofGemini}`],
  ['gemini', { project, location: 'eu' }, `aiplatform.eu.rep.googleapis.com/v1/projects/my-project/locations/eu/${ofGemini}`],
  ['gemini', { project, location: 'us' }, `aiplatform.us.rep.googleapis.com/v1/projects/my-project/locations/us/${ofGemini}`],
  [
    'gemini',
    { project, location: 'europe-west1' },
    `europe-west1-aiplatform.googleapis.com/v1/projects/my-project/locations/europe-west1/${ofGemini}`,
  ],
  [
    'anthropic',
    { project: 'example.com:old', location: 'us-east5' },
    'us-east5-aiplatform.googleapis.com/v1/projects/example.com:old/locations/us-east5/publishers/anthropic/models/claude-sonnet-4-5@20250929:rawPredict',
  ],
  [
    'openai-compatible',
    { project },
    'aiplatform.googleapis.com/v1/projects/my-project/locations/global/endpoints/openapi/chat/completions',
  ],
] as const)('sends a request for %s at %o to https://%s, with a token', (kind, google, address) => {
  const upstream = configureUpstream({ kind, google });
  const request = { operation: 'createChatCompletion', path: paths[kind], model: models[kind], stream: false } as const;
  expect(getRequestUrl(upstream, request)).toBe(`https://${address}`);
  expect(upstream.auth).toEqual({ type: 'google', scopes: ['https://www.googleapis.com/auth/cloud-platform'] });
  expect(getKindHeaders(upstream)).toEqual(kind === 'anthropic' ? { 'anthropic-version': '2023-06-01' } : {});
});

test('reads a key as one of express mode: no project, no location, and the header of Gemini', () => {
  const upstream = configureUpstream({ kind: 'gemini', google: {}, apiKey: 'k' });
  const request = { operation: 'createChatCompletion', path: paths.gemini, model: models.gemini, stream: false } as const;
  expect(getRequestUrl(upstream, request)).toBe(`https://aiplatform.googleapis.com/v1/${ofGemini}`);
  expect(getKeyHeaders(upstream, 'k')).toEqual({ 'x-goog-api-key': 'k' });
});

test('prefers an address in the file, and the credentials of auth', () => {
  const baseUrl = 'https://vertex.example/v1/projects/p/locations/eu';
  const auth = { type: 'google', credentials: '/run/secrets/google.json', scopes: ['https://scope.example'] };
  expect(configureUpstream({ kind: 'gemini', google: { project }, baseUrl, auth })).toMatchObject({ baseUrl, auth });
});

test('sends tokens of Google to any address: Claude Platform on Google Cloud needs no location', () => {
  const baseUrl = 'https://claude.googleapis.com/v1alpha/projects/p/locations/global/workspaces/w/invoke/v1';
  const upstream = configureUpstream({ kind: 'anthropic', baseUrl, auth: { type: 'google' } });
  const request = { operation: 'createChatCompletion', path: '/messages', model: 'claude-sonnet-4-5', stream: true } as const;
  expect(getRequestUrl(upstream, request)).toBe(`${baseUrl}/messages`);
});
