/** Channels and ratios of new-api as modelgate.yaml: loaded by the real loader, with exact prices and without a key. */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { loadConfig } from '../../../../server/config/config.ts';
import { formatImported, importText } from '../../../../server/config/import/importers.ts';
import { temporaryFolder } from '../../../harness/folder.ts';

const launch = join(import.meta.dirname, '../../../../server/operate/launch.mjs');
const env = new Proxy({}, { get: (_, name) => (typeof name === 'string' && /_API_KEY(_\d+)?$/.test(name) ? `of-${name}` : undefined) });

function imported(channels: unknown, options?: unknown) {
  const found = importText('new-api', JSON.stringify(channels), options === undefined ? undefined : JSON.stringify(options));
  const yaml = formatImported(found, 'new-api');
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'modelgate.yaml'), yaml);
  const config = loadConfig({ file: join(folder, 'modelgate.yaml') }, env);
  return { config, yaml, remarks: found.remarks.map(({ where, message }) => `${where}: ${message}`) };
}

/** As the API of new-api lists its options: texts of JSON. */
const options = (values: Readonly<Record<string, object>>) => ({
  success: true,
  data: Object.entries(values).map(([key, value]) => ({ key, value: JSON.stringify(value) })),
});
const channel = (name: string, more: object) => ({ id: 1, name, status: 1, key: 'sk-plain-4711', group: 'default', type: 1, ...more });

describe('an import of new-api channels', () => {
  const channels = {
    success: true,
    data: {
      items: [
        channel('Main', { models: 'gpt-5.4,gpt-4.1', priority: 10, weight: 5 }),
        channel('Spare', { models: 'gpt-5.4', base_url: 'https://proxy.example/v1/', model_mapping: '{"gpt-5.4":"gpt-5.4-2026"}' }),
        channel('Claude', { type: 14, models: 'claude-sonnet-4-5', group: 'vip,team', key: 'sk-plain-4711\nsk-plain-4712' }),
        channel('Router', { type: 20, models: 'llama' }),
        channel('Off', { models: 'x', status: 2 }),
        channel('Suno', { type: 36, models: 'suno_music' }),
      ],
    },
  };

  test('turns them into upstreams and candidates by priority, and keeps the groups of models', () => {
    const { config, yaml, remarks } = imported(channels);
    expect(Object.entries(config.upstreams).map(([name, { kind }]) => [name, kind])).toEqual([
      ['main', 'openai'],
      ['spare', 'openai'],
      ['claude', 'anthropic'],
      ['router', 'openai-compatible'],
    ]);
    expect(yaml).toContain('baseUrl: https://proxy.example/v1\n');
    expect(yaml).toContain('baseUrl: https://openrouter.ai/api/v1\n');
    const [first, , claude] = config.models;
    expect(first?.candidates).toMatchObject([
      { upstream: 'main', weight: 5, priority: 1 },
      { upstream: 'spare', upstreamModel: 'gpt-5.4-2026', priority: 2 },
    ]);
    expect(claude).toMatchObject({ id: 'claude-sonnet-4-5', groups: ['vip', 'team'] });
    expect(yaml + remarks.join()).not.toContain('sk-plain');
    expect(yaml).toContain(`\${CLAUDE_API_KEY_2}`);
    expect(remarks.filter((line) => line.includes('omitted')).map((line) => line.split(':')[0])).toEqual([
      "channels[4] 'Off'",
      "channels[5] 'Suno'",
    ]);
  });

  test('writes exact prices where the file has all ratios, and the ratios of groups as multipliers', () => {
    const { config } = imported(
      [channel('Main', { models: 'gpt-5.4,gpt-image-2', group: 'default,vip' })],
      options({
        ModelRatio: { 'gpt-5.4': 0.625 },
        CompletionRatio: { 'gpt-5.4': 8 },
        CacheRatio: { 'gpt-5.4': 0.1 },
        CreateCacheRatio: { 'gpt-5.4': 1.25 },
        ModelPrice: { 'gpt-image-2': 0.04 },
        GroupRatio: { default: 1, vip: 0.8 },
      }),
    );
    expect(config.models.map(({ id, kind, prices }) => ({ id, kind, prices }))).toEqual([
      { id: 'gpt-5.4', kind: 'text', prices: { input: '1.25', output: '10', cachedInput: '0.125', cacheWrite: '1.5625' } },
      { id: 'gpt-image-2', kind: 'image', prices: { images: { default: '0.04' } } },
    ]);
    expect(config.groups.vip).toMatchObject({ multiplier: '0.8' });
    expect(config.billing).not.toBe('off');
  });

  test('writes no price that new-api has built in', () => {
    const { config, remarks } = imported(
      [channel('Main', { models: 'gpt-5.4,other' })],
      options({ ModelRatio: { 'gpt-5.4': 1 }, ModelPrice: { other: 0.1 } }),
    );
    expect(config.models.map(({ prices }) => prices)).toEqual([undefined, undefined]);
    expect(config.billing).toBe('off');
    expect(remarks.join('\n')).toMatch(/^CompletionRatio\.gpt-5\.4: is missing/m);
    expect(remarks.join('\n')).toMatch(/^ModelPrice\.other: is a price per call/m);
  });

  test.each([null, 5, 'text', [], [null], { data: 'x' }])('gives remarks and no error for %j', (file) => {
    const { settings, remarks } = importText('new-api', JSON.stringify(file));
    expect(settings.models).toEqual([]);
    expect(remarks.length).toBeGreaterThan(0);
  });
});

describe('modelgate config import', () => {
  const run = (folder: string, ...words: string[]) =>
    promisify(execFile)(process.execPath, [launch, 'config', 'import', ...words], { cwd: folder }).then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
    );

  test('writes a new file, tells on stderr what is left, and never writes over a file', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'channels.json'), JSON.stringify([channel('Main', { models: 'gpt-5.4' })]));
    const first = await run(folder, 'new-api', 'channels.json', '--output', 'modelgate.yaml');
    expect(first).toMatchObject({ code: 0, stdout: '', stderr: expect.stringContaining("channels[0] 'Main'.key: wasn't copied") });
    const written = readFileSync(join(folder, 'modelgate.yaml'), 'utf8');
    expect(written).toContain('id: gpt-5.4');
    const second = await run(folder, 'new-api', 'channels.json', '--output', 'modelgate.yaml');
    expect(second).toMatchObject({ code: 1, stderr: expect.stringContaining("exists and won't be overwritten. Specify") });
    expect(readFileSync(join(folder, 'modelgate.yaml'), 'utf8')).toBe(written);
  });

  test('says what is wrong with a file that it cannot read', async () => {
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
