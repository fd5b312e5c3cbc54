/** Errors of commands name the guide that explains them, and each of these guides exists. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ConfigError } from '../../../../server/config/config-error.ts';
import { findGuide } from '../../../../server/operate/commands/guide-links.ts';
import { SchemaError, StorageError } from '../../../../server/store/errors.ts';
import { modelgate } from '../../../harness/command-line.ts';
import { temporaryFolder } from '../../../harness/folder.ts';

const about = (key: string) => new ConfigError([{ where: 'modelgate.yaml:1:1', key, message: 'is wrong', remedy: 'Mend it.' }]);

test.each([
  ['upstreams.a.kind', 'upstreams'],
  ['upstreams.a.azure.resource', 'azure'],
  ['upstreams.a.aws.region', 'bedrock'],
  ['upstreams.a.google.project', 'vertex'],
  ['models[2].prices', 'upstreams'],
  ['groups.vip.multiplier', 'governing'],
  ['billing', 'money'],
  ['alerts.webhooks', 'alerts'],
  ['metrics.port', 'observing'],
  ['admin.publicUrl', 'console-access'],
  ['database.url', 'processes'],
  ['routing.maxAttempts', 'failover'],
  ['server.port', 'operating'],
  ['', 'operating'],
])('links a problem of %s to the guide %s', (key, guide) => {
  expect(findGuide(about(key))).toBe(guide);
  expect(existsSync(join(import.meta.dirname, `../../../../docs/guides/${guide}.md`))).toBe(true);
});

test('finds a guide for errors of the store, and none for other errors', () => {
  expect(findGuide(new SchemaError('the schema is newer'))).toBe('upgrading');
  expect(findGuide(new StorageError('the pepper is missing'))).toBe('deploying');
  expect(findGuide(new Error('a bug'))).toBeUndefined();
});

test('prints the guide as the last line', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'modelgate.yaml'), 'upstreams: { a: { kind: nobody } }\n');
  const { code, stderr } = await modelgate(['config', 'check'], { folder });
  expect([code, stderr.trimEnd().split('\n').at(-1)]).toEqual([
    1,
    'See docs/guides/upstreams.md, which a running gateway serves at /docs/guides/upstreams.',
  ]);
});
