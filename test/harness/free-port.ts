/** Ports for programs that cannot be told "any": one that nothing else takes between the moment it is chosen and the moment it is used. */
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Systems give ports from 32768 on to outgoing connections and to servers on port 0, at any moment; they give none of these. */
const LOWEST = 10_000;
const HIGHEST = 32_000;
const ATTEMPTS = 100;

/** A TCP port of 127.0.0.1 below those that the system gives away by itself. */
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
