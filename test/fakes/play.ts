/** Runs a script on the connection of a request, step by step, until it ends or the client disconnects. */
import { once } from 'node:events';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import type { Exchange } from './exchange.ts';
import type { Script, Step } from './script.ts';

export async function play(script: Script, exchange: Exchange): Promise<void> {
  for (const step of script) {
    if (exchange.over.aborted) return;
    await perform(step, exchange);
  }
}

async function perform(step: Step, exchange: Exchange): Promise<void> {
  switch (step.kind) {
    case 'head':
      return begin(step, exchange);
    case 'write':
      for (let count = step.times ?? 1; count > 0 && !exchange.over.aborted; count--) await write(step.bytes, exchange);
      return;
    case 'wait':
      flush(exchange);
      await pause(step.ms, undefined, { signal: exchange.over }).catch(() => undefined);
      return;
    case 'until':
      flush(exchange);
      await Promise.race([step.gate, gone(exchange)]);
      return;
    case 'stall':
      flush(exchange);
      await gone(exchange);
      return;
    default:
      await finish(step, exchange);
  }
}

function begin(step: Step & { kind: 'head' }, exchange: Exchange): void {
  const { response } = exchange;
  exchange.status = step.status;
  if (step.framing === 'close') {
    // Without this header node:http uses neither chunks nor a length.
    response.removeHeader('transfer-encoding');
    response.shouldKeepAlive = false;
  }
  for (const [name, value] of Object.entries(step.headers)) response.setHeader(name, value);
  response.writeHead(step.status);
}

/** Waits a turn of the event loop for each write, so that it becomes a separate packet. */
async function write(bytes: Uint8Array, exchange: Exchange): Promise<void> {
  exchange.note(bytes);
  if (exchange.response.write(bytes)) await nextTurn();
  else await Promise.race([once(exchange.response, 'drain'), gone(exchange)]);
}

function flush({ response, status }: Exchange): void {
  if (status !== null) response.flushHeaders();
}

async function finish(step: Step & { kind: 'end' | 'cut' | 'reset' | 'raw' }, exchange: Exchange): Promise<void> {
  const { response } = exchange;
  const { socket } = response;
  if (step.kind === 'raw') {
    socket?.write(step.bytes);
    exchange.note(step.bytes);
    return;
  }
  flush(exchange);
  if (step.kind !== 'end') await nextTurn();
  exchange.end();
  if (step.kind === 'end') response.end();
  else if (step.kind === 'cut') socket?.destroy();
  else socket?.resetAndDestroy();
}

function gone(exchange: Exchange): Promise<void> {
  if (exchange.over.aborted) return Promise.resolve();
  return new Promise((resolve) => exchange.over.addEventListener('abort', () => resolve(), { once: true }));
}
