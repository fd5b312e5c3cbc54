/** Files of LiteLLM and new-api as modelgate.yaml: loaded by the real loader, without secrets, and with a remark for what has no counterpart. */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { loadConfig } from '../../../../server/config/config.ts';
import { formatDecimal, parseDecimal, toPerMillion } from '../../../../server/config/import/decimal.ts';
import { formatImported, type Importer, importText } from '../../../../server/config/import/importers.ts';
import { type Json, readRows } from '../../../fixtures/rows.ts';
import { temporaryFolder } from '../../../harness/folder.ts';

interface Row {
  readonly title: string;
  readonly from: Importer;
  /** Its secrets contain 4711. */
  readonly file?: unknown;
  /** A public file in `fixtures/litellm` instead. */
  readonly sample?: string;
  readonly options?: object;
  readonly settings: Json & { readonly models: readonly unknown[] };
  /** The places of the remarks. */
  readonly remarks: readonly string[];
  /** Parts of the remarks. */
  readonly says?: readonly string[];
}

const samples = join(import.meta.dirname, '../../../fixtures/litellm');

/** Each variable that a file refers to is a URL, which is a key, too. */
const isReferred = (name: string | symbol) => typeof name === 'string' && /_API_KEY(?:_\d+)?$|^(?:AWS|GOOGLE|MY|OWN)_/.test(name);
const env = new Proxy({}, { get: (_, name) => (isReferred(name) ? 'http://127.0.0.1:9' : undefined) });

test.each(readRows<Row>('imports'))('imports $title', ({ from, file, sample, options, settings, remarks, says = [] }) => {
  const given = sample === undefined ? JSON.stringify(file) : readFileSync(join(samples, sample), 'utf8');
  const found = importText(from, given, options && JSON.stringify(options));
  expect(found.settings).toEqual(settings);
  expect(found.remarks.map(({ where }) => where)).toEqual(remarks);
  const text = found.remarks.map(({ where, message }) => `${where}: ${message}`).join('\n');
  for (const part of says) expect(text).toContain(part);
  const yaml = formatImported(found, from);
  expect(text + yaml).not.toContain('4711');
  expect(parse(yaml)).toEqual(settings);
  if (settings.models.length === 0) return;
  const path = join(temporaryFolder(), 'modelgate.yaml');
  writeFileSync(path, yaml);
  expect(loadConfig({ file: path }, env).models).toHaveLength(settings.models.length);
});

test('converts a cost per token into one per million without rounding, whatever its form', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 99_999_999 }), fc.integer({ min: 0, max: 12 }), (digits, places) => {
      const cost = parseDecimal(`${digits}e-${places}`);
      if (!cost) throw new Error('a number is not read');
      const written = formatDecimal(toPerMillion(cost));
      const [whole = '', part = ''] = (written ?? '').split('.');
      // Both in millionths of a dollar for a million tokens.
      expect(BigInt(whole + part.padEnd(6, '0'))).toBe((BigInt(digits) * 10n ** 12n) / 10n ** BigInt(places));
    }),
  );
});

test.each(['', 'x', '-1', '1e9999', null, {}, true])('rejects %j as a cost', (value) => {
  expect(parseDecimal(value)).toBeUndefined();
});

test('omits a cost that needs more than six places', () => {
  expect(formatDecimal({ digits: 1n, places: 7 })).toBeUndefined();
});

const launch = join(import.meta.dirname, '../../../../server/operate/launch.mjs');

describe('modelgate config import', () => {
  const run = (folder: string, ...words: string[]) =>
    promisify(execFile)(process.execPath, [launch, 'config', 'import', ...words], { cwd: folder }).then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
    );

  test('writes a new file, lists omitted settings on stderr, and never overwrites a file', async () => {
    const folder = temporaryFolder();
    writeFileSync(
      join(folder, 'channels.json'),
      JSON.stringify([{ id: 1, name: 'Main', status: 1, key: 'sk-plain-4711', group: 'default', type: 1, models: 'gpt-5.4' }]),
    );
    const first = await run(folder, 'new-api', 'channels.json', '--output', 'modelgate.yaml');
    expect(first).toMatchObject({ code: 0, stdout: '', stderr: expect.stringContaining("channels[0] 'Main'.key: wasn't copied") });
    const written = readFileSync(join(folder, 'modelgate.yaml'), 'utf8');
    expect(written).toContain('id: gpt-5.4');
    const second = await run(folder, 'new-api', 'channels.json', '--output', 'modelgate.yaml');
    expect(second).toMatchObject({ code: 1, stderr: expect.stringContaining("exists and won't be overwritten. Specify") });
    expect(readFileSync(join(folder, 'modelgate.yaml'), 'utf8')).toBe(written);
  });

  test('shows the problem with an unreadable file', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'broken.yaml'), 'model_list: [ {api_key: sk-plain-4711');
    expect(await run(folder, 'litellm', 'nothing.yaml')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("nothing.yaml can't be read: ENOENT"),
    });
    const broken = await run(folder, 'litellm', 'broken.yaml');
    expect(broken).toMatchObject({ code: 1, stderr: expect.stringContaining('neither YAML nor JSON') });
    expect(broken.stderr).not.toContain('sk-plain');
    expect(existsSync(join(folder, 'modelgate.yaml'))).toBe(false);
  });
});
