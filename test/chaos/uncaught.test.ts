/** Errors in the gateway itself that nobody caught: one of them ends no call, and many end the process in good order (specification part 9). */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../harness/folder.ts';
import { exitOf, start } from '../unit/commands/run.ts';

/** Loaded ahead of the gateway: makes errors where no request is to blame, whenever it is told to. */
const trouble = `
process.on('SIGUSR2', () => {
  setTimeout(() => { throw new Error('a stray error'); });
  void Promise.reject(new Error('a stray rejection'));
});`;

interface Troubled {
  readonly child: ReturnType<typeof start>;
  readonly url: string;
  readonly key: string;
  /** Resolves when the log has said this so often. */
  says(words: string, times: number): Promise<void>;
}

async function startTroubled(): Promise<Troubled> {
  const folder = temporaryFolder();
  const preload = join(folder, 'trouble.mjs');
  writeFileSync(preload, trouble);
  const child = start(['serve', '--port', '0'], { folder, node: ['--import', preload] });
  let [banner, log] = ['', ''];
  const listeners = new Set<() => void>();
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    log += text;
    for (const listener of listeners) listener();
  });
  const shown = Promise.withResolvers<void>();
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    banner += text;
    if (banner.includes('console.log')) shown.resolve();
  });
  await shown.promise;
  return {
    child,
    url: /Base URL +(\S+)/.exec(banner)?.[1] ?? '',
    key: /API key +(\S+)/.exec(banner)?.[1] ?? '',
    says: (words, times) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (log.split(words).length > times) resolve();
        };
        listeners.add(look);
        look();
      }),
  };
}

function ask({ url, key }: Troubled): Promise<Response> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ model: 'gpt-5.4', messages: [{ role: 'user', content: 'Say hello.' }], stream: true });
  return fetch(`${url}/chat/completions`, { method: 'POST', headers, body });
}

test('an error that nobody caught ends no call that runs, and none that comes after it', async () => {
  const gateway = await startTroubled();
  const running = await ask(gateway);
  gateway.child.kill('SIGUSR2');
  await gateway.says('an error that nobody caught', 2);
  expect(await running.text()).toMatch(/data: \[DONE\]\s*$/);
  expect(await (await ask(gateway)).text()).toMatch(/data: \[DONE\]\s*$/);
  const ended = exitOf(gateway.child);
  gateway.child.kill('SIGTERM');
  expect(await ended).toBe(0);
});

test('a process that makes them again and again stops, and says that it failed', async () => {
  const gateway = await startTroubled();
  const ended = exitOf(gateway.child);
  for (let times = 1; times <= 10; times++) {
    gateway.child.kill('SIGUSR2');
    await gateway.says('an error that nobody caught', 2 * times);
  }
  await gateway.says('too many errors that nobody caught', 1);
  expect(await ended).toBe(1);
});
