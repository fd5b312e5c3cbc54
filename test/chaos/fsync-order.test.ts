/** With strict durability the disk has a charge before the caller has the answer, as a trace of the system calls shows (G1). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Agent } from 'undici';
import { expect, type TestContext, test } from 'vitest';
import { chatFrames } from '../fakes/chat.ts';
import { stream } from '../fakes/delivery.ts';
import { responseFrames } from '../fakes/responses.ts';
import { openFake } from '../fakes/upstream.ts';
import { temporaryFolder } from '../harness/folder.ts';
import { setUp } from '../harness/gateway-process.ts';
import { recordAttempts } from '../harness/record-attempts.ts';
import { ask, type KindName, kinds, model } from './crash-caller.ts';
import { findTracer, readTrace, type Story, storiesOf, tracing } from './fsync-trace.ts';

const tracer = findTracer();
if (tracer.kind === 'missing') console.warn(`The order of writes is not tested. ${tracer.reason}`);

/** Sends each kind of request three times, one after the other, and returns the traced system calls of each. */
async function watch(durability: 'strict' | 'relaxed', { skip }: TestContext): Promise<readonly Story[]> {
  if (tracer.kind === 'missing') skip(tracer.reason);
  const fake = await openFake();
  // In pieces, so that the terminal event is a write of its own.
  const paced = { gapMs: 5 };
  const trace = join(temporaryFolder(), 'trace');
  const settings = {
    upstreams: { vendor: { kind: 'openai', baseUrl: fake.url, apiKey: 'sk-vendor' } },
    models: [{ id: model, kind: 'text' }],
    durability,
  };
  const served = await setUp({ settings, under: tracing(trace) });
  await served.run();
  const agent = new Agent();
  const { origin, key } = served;
  // `as`: the names are the keys.
  const names = (Object.keys(kinds) as KindName[]).flatMap((name) => [name, name, name]);
  const ids: string[][] = [];
  for (const name of names) {
    if (name === 'chat stream') fake.next(stream(chatFrames({ model, includeUsage: true }), paced));
    if (name === 'response stream') fake.next(stream(responseFrames({ model }), paced));
    const outcome = await ask(name, { origin, key, agent });
    expect(outcome).toMatchObject({ status: 200, isWhole: true });
    ids.push([outcome.id, ...(/resp_\w+/.exec(outcome.text) ?? [])]);
  }
  await agent.close();
  expect(await served.stop()).toBe(0);
  await fake.close();
  // The tracer is not a child of this process and may still be writing.
  await expect
    .poll(() => readFileSync(trace, 'utf8'), { interval: 100 })
    .toMatch(new RegExp(`^${served.pid} .*\\+\\+\\+ exited with 0`, 'm'));
  return storiesOf(readTrace(readFileSync(trace, 'utf8')), ids);
}

test('G1: syncs the hold before it calls the upstream, and the charge before the response ends, if strict', async (context) => {
  const stories = await watch('strict', context);
  expect(stories).toHaveLength(12);
  for (const { before, after } of stories) {
    expect(before).toMatch(/written( synced)+$/);
    expect(after).toMatch(/written( synced)+$/);
  }
  recordAttempts('G1', { what: 'calls whose writes to the disk were followed', times: stories.length });
});

test('ends the response before its charge is synced to disk with relaxed durability', async (context) => {
  const stories = await watch('relaxed', context);
  expect(stories).toHaveLength(12);
  // After a second without work a new log begins, and its header is synced before the first write. That sync covers no charge.
  for (const { after } of stories) expect(after).toMatch(/written$/);
});
