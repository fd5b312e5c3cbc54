/** Chooses ports for programs that cannot listen on port 0. No other program takes the port before it is used. */
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Range of ports that the system never assigns. It assigns those from 32768 on to outgoing connections and to servers on port 0. */
const LOWEST = 10_000;
const HIGHEST = 32_000;
const ATTEMPTS = 100;

/** A free TCP port of 127.0.0.1 in that range. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const port = LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST));
    if (await isFree(port)) return port;
  }
  throw new Error(`no port from ${LOWEST} to ${HIGHEST} is free`);
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer().listen(port, '127.0.0.1');
  try {
    await once(probe, 'listening');
  } catch {
    return false;
  }
  probe.close();
  await once(probe, 'close');
  return true;
}
