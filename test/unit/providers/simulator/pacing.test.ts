import { execFile } from 'node:child_process';
import { getEventListeners, once } from 'node:events';
import { finished } from 'node:stream/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import { GatewayError } from '../../../../server/primitives/errors.ts';
import { openSimulator } from '../../../../server/providers/simulator/simulator.ts';
import { hangLimitMs } from '../../../harness/hang-limit.ts';
import { holdTimers } from '../../../harness/held-clock.ts';
import { createRequest, readChunks, send } from './ask.ts';

const long = { input: 'write 5000 words' };

/** A program that opens a stream with ten minutes between its events, reads the first and then does this. */
function slowReader(then: string): string {
  const room = new URL('../../../../server/', import.meta.url);
  return `
    const { openSimulator } = await import('${new URL('providers/simulator/simulator.ts', room)}');
    const { createJsonBody } = await import('${new URL('protocols/wire/json-body.ts', room)}');
    const caller = new AbortController();
    const { body } = await openSimulator({ eventDelayMs: 10 * ${hangLimitMs} }).send({
      operation: 'createResponse', body: createJsonBody({ model: 'm', input: 'hi' }), stream: true, requestId: 'r', signal: caller.signal,
    });
    body.on('error', () => {});
    body.once('data', () => setTimeout(() => { ${then} }, 10));`;
}

/** Enough turns for everything that waits for no timer. */
async function turns(): Promise<void> {
  for (let left = 10; left > 0; left--) await nextTurn();
}

describe('a caller of a slow stream', () => {
  it('gets each event at its time', async () => {
    await holdTimers();
    const simulator = openSimulator({ eventDelayMs: 20 });
    const { body } = await simulator.send(createRequest('createResponse', { input: 'repeat: one' }, true));
    let arrived = 0;
    body.on('data', () => arrived++);
    const end = once(body, 'end');
    for (let events = 1; events <= 10; events++) {
      await turns();
      expect(arrived).toBe(events);
      await vi.advanceTimersByTimeAsync(19);
      await turns();
      expect(arrived).toBe(events);
      await vi.advanceTimersByTimeAsync(1);
    }
    await end;
    expect(arrived).toBe(10);
  });

  it('stops the stream at once by aborting', async () => {
    const simulator = openSimulator({ eventDelayMs: 60_000 });
    const caller = new AbortController();
    const { body } = await simulator.send(createRequest('createResponse', long, true, caller.signal));
    body.on('data', () => {});
    await once(body, 'data');
    const end = once(body, 'end');
    caller.abort();
    await expect(end).rejects.toMatchObject({ name: 'AbortError' });
    expect(body).toMatchObject({ destroyed: true, readableEnded: false, errored: { name: 'AbortError' } });
    expect(getEventListeners(caller.signal, 'abort')).toHaveLength(0);
  });

  it.each(['caller.abort()', 'body.destroy()'])('leaves no timer that keeps the process alive, after %s', async (then) => {
    const child = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', slowReader(then)], { timeout: hangLimitMs });
    expect(child.stderr).toBe('');
  });

  it('leaves no listener on the signal after the end of the stream', async () => {
    const caller = new AbortController();
    await readChunks(await openSimulator({ eventDelayMs: 0 }).send(createRequest('createResponse', { input: 'hi' }, true, caller.signal)));
    expect(getEventListeners(caller.signal, 'abort')).toHaveLength(0);
  });

  it('holds the writer back by not reading', async () => {
    const { body } = await send('createResponse', long, true);
    body.once('readable', () => {});
    await new Promise(setImmediate);
    expect(body.readableLength).toBeLessThan(10);
    body.destroy();
  });
});

describe('a caller who disconnects before the answer', () => {
  it('gets upstream_error with an aborted signal', async () => {
    const sent = openSimulator().send(createRequest('createResponse', long, true, AbortSignal.abort()));
    await expect(sent).rejects.toMatchObject({ code: 'upstream_error' });
  });

  it('stops the drawing of the images', async () => {
    const caller = new AbortController();
    const sent = openSimulator().send(createRequest('generateImages', { prompt: 'A cat', n: 10 }, false, caller.signal));
    await nextTurn();
    caller.abort();
    await expect(sent).rejects.toBeInstanceOf(GatewayError);
  });
});

describe('closing the simulator', () => {
  it('waits for running streams', async () => {
    const simulator = openSimulator({ eventDelayMs: 1 });
    const { body } = await simulator.send(createRequest('createChatCompletion', { messages: [{ role: 'user', content: 'hi' }] }, true));
    let isClosed = false;
    const closed = simulator.close().then(() => {
      isClosed = true;
    });
    await new Promise(setImmediate);
    expect(isClosed).toBe(false);
    body.resume();
    await closed;
    expect(body.readableEnded).toBe(true);
  });
});

it('ends stalled responses when the simulator closes', async () => {
  const simulator = openSimulator({ eventDelayMs: 0, stallMs: 3_600_000 });
  const ask = (stream: boolean) => simulator.send(createRequest('createResponse', { input: 'simulate: stall' }, stream));
  const { body } = await ask(true);
  const told = expect(Promise.all([ask(false), finished(body.resume())])).rejects.toMatchObject({ code: 'upstream_timeout' });
  await simulator.close();
  await told;
  expect(body.readableEnded).toBe(false);
});
