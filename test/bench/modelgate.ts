/** How the benchmark starts Modelgate itself: its command, its configuration, and where its address and key are read. */
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Child } from './child.ts';
import type { Running } from './servers.ts';

const command = fileURLToPath(new URL('../../server/cli.ts', import.meta.url));
const startMs = 20_000;

export const modelgateExists = existsSync(command);

/** The vendor as an upstream, with room for every open stream. JSON is YAML. */
function configuration(vendorUrl: string): string {
  const bench = { kind: 'openai', baseUrl: vendorUrl, apiKey: 'sk-bench', protocols: ['chat', 'responses', 'images'], connections: 16_384 };
  return JSON.stringify({ upstreams: { bench } });
}

export async function startModelgate(vendorUrl: string, core: number | undefined, profile: string | undefined): Promise<Running> {
  const data = mkdtempSync(join(tmpdir(), 'modelgate-bench-'));
  const config = join(data, 'modelgate.yaml');
  const log = join(data, 'output.log');
  writeFileSync(config, configuration(vendorUrl));
  // A file: reading a pipe would take time from the load generator.
  const output = openSync(log, 'a');
  const child = new Child({
    args: [command, 'serve', '--config', config, '--host', '127.0.0.1', '--port', '0', '--data', data],
    nodeArgs: profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`],
    core,
    output,
    env: { NODE_ENV: 'production' },
  });
  closeSync(output);
  const forget = (): void => rmSync(data, { recursive: true, force: true });
  process.once('exit', forget);
  const stop = async (): Promise<void> => {
    await child.stop();
    forget();
    process.off('exit', forget);
  };
  try {
    const { url, key } = await readStart(log, child);
    return { child, origin: new URL(url).origin, key, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Waits for what a first start prints: the base URL, and the key that is shown once. */
async function readStart(log: string, child: Child): Promise<{ url: string; key: string }> {
  for (const until = Date.now() + startMs; Date.now() < until && !child.hasExited; await pause(50)) {
    const printed = readFileSync(log, 'utf8');
    const url = /Base URL\s+(http\S+)/.exec(printed)?.[1];
    const key = /API key\s+(mg-\S+)/.exec(printed)?.[1];
    if (url !== undefined && key !== undefined) return { url, key };
  }
  throw new Error(`Modelgate did not start, or did not print its base URL and a key:\n${readFileSync(log, 'utf8').slice(-4_000)}`);
}
