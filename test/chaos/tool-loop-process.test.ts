/** The loops of five calls while the gateway is a process of its own that is killed between the turns (specification 4.6 and 5.5, promise G1). */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { type Door, finalAnswer, playModel, runResponses, ways } from '../e2e/translation-loops.ts';
import { openFake } from '../fakes/upstream.ts';
import { temporaryFolder } from '../harness/folder.ts';
import { type Kind, kinds, modelOver, upstreamModels } from '../harness/pairs.ts';
import { exitOf, start } from '../unit/commands/run.ts';

/** Each kind follows another. */
const mixed: readonly Kind[] = ['gemini', 'responses', 'anthropic', 'chat', 'anthropic', 'responses'];

/** The stateless way leaves nothing behind that a process could lose. */
const kept = ways.filter((way) => way !== 'stateless');

interface Process extends Door {
  /** Ends without a word, as by `kill -9`, and starts anew over the same data. */
  restart(): Promise<void>;
}

async function serve(addresses: Readonly<Record<Kind, string>>): Promise<Process> {
  const folder = temporaryFolder();
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
  await writeFile(join(folder, 'modelgate.yaml'), stringify({ data: join(folder, 'data'), billing: 'off', upstreams, models }));
  let child = start(['serve', '--port', '0'], { folder });
  let [baseURL, key] = await readBanner(child);
  return {
    get gateway() {
      // The key is shown by the first start alone.
      return { baseURL, key: key ?? '' };
    },
    async restart() {
      child.kill('SIGKILL');
      await exitOf(child);
      child = start(['serve', '--port', '0'], { folder });
      [baseURL] = await readBanner(child);
    },
  };
}

async function readBanner(child: ReturnType<typeof start>): Promise<[string, string | undefined]> {
  let banner = '';
  for await (const chunk of child.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    banner += chunk;
    const baseURL = /Base URL +(http:\S+\/v1)\n/.exec(banner)?.[1];
    if (baseURL !== undefined && /^ +Docs/m.test(banner)) return [baseURL, /API key +(mg-\w+)/.exec(banner)?.[1]];
  }
  throw new Error(`the process ended before it was ready: ${await text(child.stderr)}`);
}

test.each(kept)(
  'G1: with %s the answer is the same though the process is killed between the turns and the kind of upstream changes',
  async (way) => {
    const fakes = await Promise.all(kinds.map(async (kind) => [kind, await openFake()] as const));
    for (const [kind, fake] of fakes) playModel(kind, fake);
    // Made of every kind, one line above.
    const addresses = Object.fromEntries(fakes.map(([kind, fake]) => [kind, fake.url])) as Record<Kind, string>;
    const door = await serve(addresses);
    expect(await runResponses(door, way, { over: mixed, isStream: way !== 'manual items', between: () => door.restart() })).toBe(
      finalAnswer,
    );
    for (const [, fake] of fakes) await fake.close();
  },
);
