/** nginx before the vendor, as a yardstick of what a proxy adds; only where it is installed. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Ground, Running } from './servers.ts';

export const nginxExists = spawnSync('nginx', ['-v']).status === 0;
const startMs = 10_000;

export async function startNginx({ cores, vendorOrigin }: Ground): Promise<Pick<Running, 'origin' | 'key' | 'stop'>> {
  const folder = mkdtempSync(join(tmpdir(), 'modelgate-nginx-'));
  const port = await freePort();
  const file = join(folder, 'nginx.conf');
  writeFileSync(file, configuration(folder, port, new URL(vendorOrigin).host));
  const command = ['nginx', '-c', file, '-p', folder];
  const [program = '', ...args] = cores ? ['taskset', '--cpu-list', String(cores.server), ...command] : command;
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  const ended = once(child, 'exit');
  const origin = `http://127.0.0.1:${port}`;
  await untilListening(origin);
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  return { origin, key: 'mg-bench', stop };
}

const configuration = (folder: string, port: number, vendor: string): string => `
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

/** nginx takes no port 0. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (typeof address !== 'object' || address === null) throw new Error('no free port');
  return address.port;
}

async function untilListening(origin: string): Promise<void> {
  const until = performance.now() + startMs;
  while (performance.now() < until) {
    const answer = await fetch(origin).catch(() => null);
    await answer?.body?.cancel();
    if (answer) return;
    await pause(20);
  }
  throw new Error('nginx does not listen');
}
