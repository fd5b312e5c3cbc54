/** Tool loops of five calls through a gateway process that is killed between the turns (promise G1). */
import { expect, test } from 'vitest';
import { type Door, finalAnswer, playModel, runResponses, ways } from '../e2e/translation-loops.ts';
import { openFake } from '../fakes/upstream.ts';
import { type GatewayProcess, setUp } from '../harness/gateway-process.ts';
import { type Kind, kinds, modelOver, upstreamModels } from '../harness/pairs.ts';

/** Each turn goes to another kind of upstream than the turn before. */
const mixed: readonly Kind[] = ['gemini', 'responses', 'anthropic', 'chat', 'anthropic', 'responses'];

/** The stateless way stores nothing that a process could lose. */
const kept = ways.filter((way) => way !== 'stateless');

async function serve(addresses: Readonly<Record<Kind, string>>): Promise<GatewayProcess> {
  const upstreams = Object.fromEntries(
    kinds.map((kind) => {
      const isOpenai = kind === 'chat' || kind === 'responses';
      return [
        kind,
        { kind: isOpenai ? 'openai' : kind, ...(isOpenai && { protocols: [kind] }), baseUrl: addresses[kind], apiKey: 'sk-vendor' },
      ];
    }),
  );
  const models = kinds.map((kind) => ({ id: modelOver(kind), kind: 'text', upstream: kind, upstreamModel: upstreamModels[kind] }));
  const served = await setUp({ settings: { admin: { enabled: false }, billing: 'off', upstreams, models } });
  await served.run();
  return served;
}

/** The address changes with each start. */
const doorOf = (served: GatewayProcess): Door => ({
  get gateway() {
    return { baseURL: `${served.origin}/v1`, key: served.key };
  },
});

/** Kills the process with SIGKILL and starts another one over the same data. */
async function restart(served: GatewayProcess): Promise<void> {
  await served.kill();
  await served.run();
}

test.each(kept)('G1: gives the right final text with %s although the process dies and the upstream changes midway', async (way) => {
  const fakes = await Promise.all(kinds.map(async (kind) => [kind, await openFake()] as const));
  for (const [kind, fake] of fakes) playModel(kind, fake);
  // `as`: `fakes` has an entry for each kind.
  const addresses = Object.fromEntries(fakes.map(([kind, fake]) => [kind, fake.url])) as Record<Kind, string>;
  const served = await serve(addresses);
  const order = { over: mixed, isStream: way !== 'manual items', between: () => restart(served) };
  expect(await runResponses(doorOf(served), way, order)).toBe(finalAnswer);
  for (const [, fake] of fakes) await fake.close();
});
