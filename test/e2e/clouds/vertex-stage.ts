/** A gateway over a fake Vertex AI and the fake token endpoint of Google, with a model of each kind. */
import OpenAI from 'openai';
import { credentialsAt, FakeGoogle } from '../../fakes/google.ts';
import { type Fake, openFake } from '../../fakes/upstream.ts';
import { type VertexReply, type VertexRules, vertex } from '../../fakes/vertex.ts';
import { startGateway, type TestGateway } from '../../harness/gateway.ts';

const models = {
  google: ['gemini-3.5-flash', 'gemini-2.5-pro'],
  anthropic: ['claude-sonnet-4-5@20250929'],
  openapi: ['meta/llama-4-maverick-17b-128e-instruct-maas'],
  endpoints: ['1234567890'],
};
export const key = 'AQ.express-key-0123456789';
export const project = 'my-project';

export interface VertexStage {
  readonly vendor: Fake;
  readonly issuer: Fake;
  readonly google: FakeGoogle;
  readonly gateway: TestGateway;
  readonly sdk: OpenAI;
  readonly rules: VertexRules;
  /** Forgets the requests, and answers the next ones with this. */
  serve(reply?: VertexReply): void;
  close(): Promise<void>;
}

export async function openVertex(): Promise<VertexStage> {
  const vendor = await openFake();
  const issuer = await openFake();
  const google = new FakeGoogle(new URL(issuer.url).origin);
  issuer.always(google.answer);
  const gateway = await startGateway(settingsOver(new URL(vendor.url).origin, google.origin));
  const rules = { isGood: google.isGood, key, project, location: 'eu', models };
  return {
    vendor,
    issuer,
    google,
    gateway,
    sdk: new OpenAI({ baseURL: gateway.baseURL, apiKey: gateway.key, maxRetries: 0 }),
    rules,
    serve(reply = {}) {
      vendor.clear();
      vendor.always(vertex(rules, reply));
    },
    async close() {
      await gateway.close();
      await vendor.close();
      await issuer.close();
    },
  };
}

function settingsOver(origin: string, issuedAt: string): Record<string, unknown> {
  const auth = { type: 'google', credentials: JSON.stringify(credentialsAt(issuedAt).serviceAccount) };
  const baseUrl = `${origin}/v1/projects/${project}/locations/eu`;
  const place = { google: { project, location: 'eu' }, auth };
  const served = { kind: 'text', prices: { input: '1', cachedInput: '0.1', output: '10' } };
  return {
    upstreams: {
      gemini: { kind: 'gemini', baseUrl, ...place },
      claude: { kind: 'anthropic', baseUrl, ...place },
      open: { kind: 'openai-compatible', baseUrl: `${baseUrl}/endpoints/openapi`, ...place },
      express: { kind: 'gemini', baseUrl: `${origin}/v1`, google: {}, apiKey: key },
    },
    routing: { maxAttempts: 1 },
    models: [
      { ...served, id: 'gemini', upstream: 'gemini', upstreamModel: 'gemini-3.5-flash' },
      { ...served, id: 'old', upstream: 'gemini', upstreamModel: 'gemini-2.5-pro' },
      { ...served, id: 'tuned', upstream: 'gemini', upstreamModel: 'endpoints/1234567890' },
      { ...served, id: 'express', upstream: 'express', upstreamModel: 'gemini-3.5-flash' },
      { ...served, id: 'claude', upstream: 'claude', upstreamModel: 'claude-sonnet-4-5@20250929' },
      { ...served, id: 'open', upstream: 'open', upstreamModel: 'meta/llama-4-maverick-17b-128e-instruct-maas' },
      { ...served, id: 'nowhere', upstream: 'gemini', upstreamModel: 'gemini-9' },
    ],
  };
}
