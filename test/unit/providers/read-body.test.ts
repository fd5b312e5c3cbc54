/** Reading whole answers into memory, up to a limit. */
import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';

import { collectBody, collectBodyStart } from '../../../server/providers/collect.ts';

const endless = () => new Readable({ read: () => undefined });
const whole = (...chunks: string[]) =>
  Readable.from(
    chunks.map((chunk) => Buffer.from(chunk)),
    { objectMode: false },
  );

describe('a response', () => {
  test.each([
    ['in one piece', ['one piece']],
    ['in several', ['one ', 'pie', 'ce']],
    ['without anything', []],
  ])('gets collected %s', async (_what, chunks) => {
    expect(String(await collectBody(whole(...chunks), 100))).toBe(chunks.join(''));
  });

  test('fits the limit exactly; one byte more is upstream_error and destroys the body', async () => {
    expect(await collectBody(whole('12345', '67890'), 10)).toHaveLength(10);
    const body = endless();
    const collecting = collectBody(body, 10);
    body.push('12345678901');
    await expect(collecting).rejects.toMatchObject({ code: 'upstream_error', message: "The upstream's response is too large." });
    expect(body.destroyed).toBe(true);
  });

  test("becomes upstream_error if it's cut before its end", async () => {
    const body = endless();
    const collecting = collectBody(body, 10);
    body.push('123');
    await nextTurn();
    body.destroy();
    await expect(collecting).rejects.toMatchObject({ code: 'upstream_error', message: expect.stringContaining('closed the connection') });
  });

  test('rejects with its error if it breaks', async () => {
    const body = endless();
    const collecting = collectBody(body, 10);
    const cause = new Error('reset');
    body.destroy(cause);
    await expect(collecting).rejects.toBe(cause);
  });
});

describe('the start of an error body', () => {
  test('stops at the limit, and drops the remainder', async () => {
    const body = endless();
    const collecting = collectBodyStart(body, 5);
    body.push('123');
    body.push('4567');
    expect(await collecting).toBe('12345');
    expect(body.destroyed).toBe(true);
  });

  test('includes all of a short body', async () => {
    expect(await collectBodyStart(whole('no'), 5)).toBe('no');
  });

  test.each([
    ['is cut', undefined],
    ['breaks', new Error('reset')],
  ])('stays empty when the body %s', async (_what, cause) => {
    const body = endless();
    const collecting = collectBodyStart(body, 5);
    body.push('1');
    await nextTurn();
    body.destroy(cause);
    expect(await collecting).toBe('');
  });
});
