/** The failures that fuzzing found, as regression tests; each is a file in test/programs/fuzz/findings/. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { errorCodes } from '../../contract/errors.ts';
import { startGateway } from '../harness/gateway.ts';
import { useOpened } from '../harness/opened.ts';
import { request, talk } from '../harness/raw.ts';
import { expectRefusal } from '../harness/refusal.ts';
import { startGatewayUnderFuzz } from '../programs/fuzz/gateway-process.ts';
import { converse } from '../programs/fuzz/lane.ts';

/** A file there. `body` has one character for each byte. */
const Finding = z.strictObject({
  title: z.string(),
  path: z.string(),
  body: z.string(),
  code: z.enum(errorCodes),
  param: z.string().nullable(),
});

const folder = join(import.meta.dirname, '../programs/fuzz/findings');
const findings = readdirSync(folder).map((name) => Finding.parse(JSON.parse(readFileSync(join(folder, name), 'utf8'))));

const gateway = useOpened(() => startGateway());

async function ask(path: string, body: Buffer) {
  const lines = [`POST ${path} HTTP/1.1`, `authorization: Bearer ${gateway.key}`, 'content-type: application/json', 'connection: close'];
  const [answer] = await talk(gateway.origin, request(lines, body));
  if (!answer) throw new Error('no answer');
  return answer;
}

test.each(findings)('rejects $title with a message without control characters', async ({ path, body, code, param }) => {
  const rejected = await expectRefusal(await ask(path, Buffer.from(body, 'latin1')), { code, param });
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the test looks for them.
  expect(`${rejected.error.message}${rejected.error.param}`).not.toMatch(/[\u0000-\u001f\u007f\u2028\u2029]/);
});

test('shows only the first characters of a field name of a megabyte in its error', async () => {
  const metadata = { ['k'.repeat(1_048_576)]: 5 };
  const answer = await ask('/v1/responses', Buffer.from(JSON.stringify({ model: 'gpt-5.4', input: 'hi', metadata })));
  const { message } = (await expectRefusal(answer, { code: 'invalid_value', param: `metadata.${'k'.repeat(490)}…` })).error;
  expect(message).toMatch(/^Invalid value for 'metadata\.k{100,300}': \S.{10,100}$/);
});

test('returns 431 for 200 KB of headers each time, 320 times', async () => {
  // In another process: in this one the gateway could not close before the caller reads.
  const apart = await startGatewayUnderFuzz({ admin: { enabled: false } });
  onTestFinished(() => apart.close());
  const line = `x-a: ${'v'.repeat(1_000)}\r\n`;
  const bytes = Buffer.from(`GET /v1/models HTTP/1.1\r\nhost: gateway.test\r\n${line.repeat(200)}\r\n`);
  const ask = async () => (await converse(apart.port, bytes, true))[0]?.status;
  for (let round = 0; round < 40; round++) {
    expect(new Set(await Promise.all(Array.from({ length: 8 }, ask)))).toEqual(new Set([431]));
  }
});
