/** Whole answers read into memory: up to a limit, and only where they came to their end. */
import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { collect, collectStart } from '../../../server/upstreams/read-body.ts';

const endless = () => new Readable({ read: () => undefined });
const whole = (...chunks: string[]) =>
  Readable.from(
    chunks.map((chunk) => Buffer.from(chunk)),
    { objectMode: false },
  );

describe('an answer', () => {
  test.each([
    ['in one piece', ['one piece']],
    ['in several', ['one ', 'pie', 'ce']],
    ['without anything', []],
  ])('is collected %s', async (_what, chunks) => {
    expect(String(await collect(whole(...chunks), 100))).toBe(chunks.join(''));
  });

  test('as long as the limit is collected, and one byte more is an error of the upstream, which is cut', async () => {
    expect(await collect(whole('12345', '67890'), 10)).toHaveLength(10);
    const body = endless();
    const collecting = collect(body, 10);
    body.push('12345678901');
    await expect(collecting).rejects.toMatchObject({ code: 'upstream_error', message: 'The answer of the upstream is too large.' });
    expect(body.destroyed).toBe(true);
  });

  test('that is cut before its end is an error of the upstream', async () => {
    const body = endless();
    const collecting = collect(body, 10);
    body.push('123');
    await nextTurn();
    body.destroy();
    await expect(collecting).rejects.toMatchObject({ code: 'upstream_error', message: expect.stringContaining('broke off') });
  });

  test('that breaks is told with its cause', async () => {
    const body = endless();
    const collecting = collect(body, 10);
    const cause = new Error('reset');
    body.destroy(cause);
    await expect(collecting).rejects.toBe(cause);
  });
});

describe('the start of a refusal', () => {
  test('is read so far and no further, and the rest is cut', async () => {
    const body = endless();
    const collecting = collectStart(body, 5);
    body.push('123');
    body.push('4567');
    expect(await collecting).toBe('12345');
    expect(body.destroyed).toBe(true);
  });

  test('is all of a short one', async () => {
    expect(await collectStart(whole('no'), 5)).toBe('no');
  });

  test.each([
    ['is cut', undefined],
    ['breaks', new Error('reset')],
  ])('is nothing where it %s: its status is known', async (_what, cause) => {
    const body = endless();
    const collecting = collectStart(body, 5);
    body.push('1');
    await nextTurn();
    body.destroy(cause);
    expect(await collecting).toBe('');
  });
});
