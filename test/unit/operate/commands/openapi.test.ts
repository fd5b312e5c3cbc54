/** `modelgate openapi` prints the documents that a gateway of this version serves. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { modelgate } from '../../../harness/command-line.ts';

test.each([
  [[], 'openapi.json'],
  [['--spec-version', '3.1'], 'openapi.json'],
  [['--spec-version', '3.2'], 'openapi-3.2.json'],
  [['--admin'], 'admin-openapi.json'],
])('prints the document for openapi %j without a configuration: %s', async (words, file) => {
  const text = readFileSync(join(import.meta.dirname, '../../../../docs/generated', file), 'utf8');
  expect(await modelgate(['openapi', ...words])).toEqual({ code: 0, stdout: text, stderr: '' });
});

test.each([
  [['--spec-version', '3.0'], 'Allowed choices are 3.1, 3.2.'],
  [['--admin', '--spec-version', '3.2'], 'cannot be used with'],
])('rejects openapi %j', async (words, reason) => {
  const { code, stdout, stderr } = await modelgate(['openapi', ...words]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain(reason);
});
