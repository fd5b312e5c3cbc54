/** Other programs before the vendor, as yardsticks: nginx, Portkey and LiteLLM, each only where it is installed. */
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../../harness/free-port.ts';
import { litellm, portkey } from '../../harness/tools.ts';
import { model } from './asked.ts';
import type { Loaded } from './child.ts';
import { cpuOf } from './process-tree.ts';
import type { Ground } from './servers.ts';

export const foreignNames = ['nginx', 'portkey', 'litellm'] as const;
export type ForeignName = (typeof foreignNames)[number];

const START_MS = 90_000;
/** LiteLLM doesn't start with a short master key. */
const KEY = `sk-${randomBytes(32).toString('hex')}`;

interface Plan {
  readonly folder: string;
  readonly port: number;
  readonly vendorOrigin: string;
}

interface Foreign {
  readonly exists: boolean;
  /** Writes what it needs into the folder; returns its command line. */
  prepare(plan: Plan): readonly string[];
  /** What it wants from its callers beside a key. */
  headersFor?(vendorOrigin: string): Readonly<Record<string, string>>;
}

const foreigners: Readonly<Record<ForeignName, Foreign>> = {
  nginx: {
    exists: spawnSync('nginx', ['-v']).status === 0,
    prepare({ folder, port, vendorOrigin }) {
      const file = join(folder, 'nginx.conf');
      writeFileSync(file, nginxConfiguration(folder, port, new URL(vendorOrigin).host));
      return ['nginx', '-c', file, '-p', folder];
    },
  },
  portkey: {
    exists: existsSync(portkey.program),
    prepare: ({ port }) => [process.execPath, portkey.program, `--port=${port}`, '--headless'],
    headersFor: (vendorOrigin) => ({ 'x-portkey-provider': 'openai', 'x-portkey-custom-host': `${vendorOrigin}/v1` }),
  },
  litellm: {
    exists: existsSync(litellm.program),
    prepare({ folder, port, vendorOrigin }) {
      const file = join(folder, 'litellm.json');
      const reach = { model: `openai/${model}`, api_base: `${vendorOrigin}/v1`, api_key: 'sk-bench' };
      writeFileSync(
        file,
        JSON.stringify({ model_list: [{ model_name: model, litellm_params: reach }], general_settings: { master_key: KEY } }),
      );
      const start = [litellm.program, '-c', 'from litellm import run_server; run_server()'];
      return [...start, '--config', file, '--port', String(port), '--host', '127.0.0.1'];
    },
  },
};

export const isInstalled = (name: ForeignName): boolean => foreigners[name].exists;

export async function startForeign(name: ForeignName, { cores, vendorOrigin }: Ground): Promise<Loaded> {
  const { prepare, headersFor } = foreigners[name];
  const folder = mkdtempSync(join(tmpdir(), `modelgate-${name}-`));
  const port = await freePort();
  const command = prepare({ folder, port, vendorOrigin });
  const [program = '', ...args] = cores ? ['taskset', '--cpu-list', String(cores.server), ...command] : command;
  const child = spawn(program, args, { stdio: 'ignore', env: { ...process.env, NODE_ENV: 'production' } });
  const kill = (): boolean => child.kill('SIGTERM');
  process.once('exit', kill);
  const ended = once(child, 'exit');
  const origin = `http://127.0.0.1:${port}`;
  const stop = async (): Promise<void> => {
    kill();
    await ended;
    process.off('exit', kill);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await untilListening(origin);
  } catch (error) {
    await stop();
    throw new Error(`${name} does not listen`, { cause: error });
  }
  const seen = { used: async () => ({ cpuMicros: cpuOf(child.pid ?? 0) }) };
  return { origin, key: KEY, child: seen, stop, ...(headersFor && { headers: headersFor(vendorOrigin) }) };
}

const nginxConfiguration = (folder: string, port: number, vendor: string): string => `
daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
error_log stderr error;
events { worker_connections 4096; }
http {
  access_log off;
  client_body_temp_path ${folder};
  proxy_temp_path ${folder};
  fastcgi_temp_path ${folder};
  uwsgi_temp_path ${folder};
  scgi_temp_path ${folder};
  upstream vendor { server ${vendor}; keepalive 256; }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://vendor;
      proxy_http_version 1.1;
      proxy_set_header connection "";
      proxy_buffering off;
    }
  }
}
`;

async function untilListening(origin: string): Promise<void> {
  const until = performance.now() + START_MS;
  while (performance.now() < until) {
    const answer = await fetch(origin).catch(() => null);
    await answer?.body?.cancel();
    if (answer) return;
    await pause(50);
  }
  throw new Error(`nothing listens on ${origin}`);
}
