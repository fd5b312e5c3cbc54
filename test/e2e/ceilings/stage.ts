/** Opens a gateway with prices over a fake vendor. */
import { type Fake, openFake } from '../../fakes/upstream.ts';
import { startGateway, type TestGateway } from '../../harness/gateway.ts';

export const texts = { input: '1', output: '4', tools: { web_search_call: '0.01', image_generation_call: '0.04' } };
export const pictures = { images: { default: '0.04' } };

export interface Stage {
  readonly gateway: TestGateway;
  readonly fake: Fake;
  /** Sends `body` unchanged. */
  post(path: string, body: string): Promise<Response>;
  close(): Promise<void>;
}

/** The tools of the model `plain` have no price. `others` are more upstreams, each with a model of the same name. */
export async function openStage(
  upstream: Record<string, unknown> = {},
  more: readonly Record<string, unknown>[] = [],
  others: Readonly<Record<string, object>> = {},
): Promise<Stage> {
  const fake = await openFake();
  const vendor = { kind: 'openai', baseUrl: fake.url, ...upstream };
  const local = Object.entries(others).map(([name, settings]) => [name, { baseUrl: fake.url, ...settings }] as const);
  const gateway = await startGateway({
    upstreams: { vendor, ...Object.fromEntries(local) },
    models: [
      { id: 'priced', kind: 'text', prices: texts, maxOutputTokens: 1_000, upstreamModel: 'gpt-5.4' },
      { id: 'plain', kind: 'text', prices: { input: '1', output: '4' }, maxOutputTokens: 1_000, upstreamModel: 'gpt-5.4' },
      { id: 'gift', kind: 'text', prices: 'free', upstreamModel: 'gpt-5.4' },
      { id: 'painter', kind: 'image', prices: pictures, upstreamModel: 'gpt-image-2' },
      ...Object.keys(others).map((name) => ({ id: name, kind: 'text', upstream: name, prices: texts })),
      ...more,
    ],
  });
  return {
    gateway,
    fake,
    post: (path, body) => gateway.call(path, { method: 'POST', body, headers: { 'content-type': 'application/json' } }),
    async close() {
      await gateway.close();
      await fake.close();
    },
  };
}
