/** The commands that read the catalog of public models: `model suggest`, and the warnings of `config check`. */
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { modelgate, start } from '../../../harness/command-line.ts';
import { temporaryFolder } from '../../../harness/folder.ts';

const own = { id: 'gpt-4.1', kind: 'text', prices: { input: '1234', output: '1' } };

function withFile(models: readonly object[] = [own]): string {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'modelgate.yaml'), JSON.stringify({ upstreams: { provider: { kind: 'openai', apiKey: 'k' } }, models }));
  return folder;
}

test('writes a file with model suggest that config check accepts without a warning', async () => {
  const { code, stdout, stderr } = await modelgate(['models', 'suggest', 'gpt-4.1', 'gpt-4.1-mini'], { folder: withFile() });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const { models } = parse(stdout);
  expect(models.map(({ id, upstream }: typeof own & { upstream: string }) => [id, upstream])).toEqual([
    ['gpt-4.1', 'provider'],
    ['gpt-4.1-mini', 'provider'],
  ]);
  expect(await modelgate(['config', 'check'], { folder: withFile(models) })).toMatchObject({ code: 0, stderr: '' });
});

test('reports differences from the list on stderr with config check, except with --no-public-models', async () => {
  const folder = withFile();
  const { code, stderr } = await modelgate(['config', 'check'], { folder });
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: expect.stringMatching(
      /^Differs from the public price list of 20.*\n {2}gpt-4\.1 at provider: prices\.input is 1234, but the list price is 2/,
    ),
  });
  expect(await modelgate(['config', 'check', '--no-public-models'], { folder })).toMatchObject({ code: 0, stderr: '' });
});

test('names upstreams that serve no model with config check', async () => {
  const folder = temporaryFolder();
  const upstreams = { provider: { kind: 'openai', apiKey: 'k' }, spare: { kind: 'anthropic', apiKey: 'k' } };
  writeFileSync(join(folder, 'modelgate.yaml'), JSON.stringify({ upstreams }));
  const { code, stderr } = await modelgate(['config', 'check'], { folder });
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: expect.stringMatching(/^Upstream 'spare' serves no model\. .* --upstream spare\.$/m),
  });
});

test("reports a name that isn't on the list, with similar names, and writes the others", async () => {
  const { code, stdout, stderr } = await modelgate(['model', 'suggest', 'gpt-4.1', '4.1-mini', 'nothing'], { folder: withFile() });
  expect(code).toBe(1);
  expect(parse(stdout).models).toHaveLength(1);
  expect(stderr).toMatch(/^4\.1-mini isn't in the catalog; it has gpt-4\.1-mini.*\.\nnothing isn't in the catalog\.\n$/);
});

test('suggests all models of an upstream without names, as JSON too', async () => {
  const { code, stdout } = await modelgate(['model', 'suggest', '--upstream', 'provider', '--json'], { folder: withFile() });
  const { data, date } = JSON.parse(stdout);
  expect(code).toBe(0);
  expect(date).toMatch(/^20\d\d-\d\d-\d\d$/);
  expect(data.length).toBeGreaterThan(20);
  expect(new Set(data.map(({ provider, upstream }: { provider: string; upstream: string }) => `${provider} ${upstream}`))).toEqual(
    new Set(['openai provider']),
  );
});

test('counts the differences with doctor, and warns of prices below the list', async () => {
  const dear = await modelgate(['doctor'], { folder: withFile([{ ...own, prices: { input: '1234', output: '1234' } }]) });
  expect(dear.stdout).toMatch(
    /^public models +ok .* 1 model entry differs from the public prices and limits of 20[\d-]+ \(\d+ days? old\)/m,
  );
  const cheap = await modelgate(['doctor'], { folder: withFile() });
  expect(cheap.stdout).toMatch(/^public models +WARNING .* below the list price: gpt-4\.1; /m);
});

test('shows with doctor what models accept', async () => {
  const folder = temporaryFolder();
  const opus = { id: 'opus', kind: 'text', upstreamModel: 'claude-opus-4-7', accepts: { efforts: ['low'] }, prices: 'free' };
  writeFileSync(
    join(folder, 'modelgate.yaml'),
    JSON.stringify({ upstreams: { claude: { kind: 'anthropic', apiKey: 'k' } }, models: [opus] }),
  );
  expect((await modelgate(['doctor'], { folder })).stdout).toMatch(
    /^model rules +ok .*opus at claude: efforts low as effort and adaptive; rejects temperature, top_p, assistant message at the end; up to 128000 output tokens/m,
  );
});

test('prints models below the list price in the banner of a gateway with a real upstream', async () => {
  const upstreams = { provider: { kind: 'openai', apiKey: 'k' } };
  const banners = [];
  for (const settings of [{ upstreams, models: [own] }, { upstreams }]) {
    const folder = temporaryFolder();
    const more = { server: { port: 0 }, admin: { enabled: false } };
    writeFileSync(join(folder, 'modelgate.yaml'), JSON.stringify({ ...settings, ...more }));
    const running = start(['serve'], { folder });
    banners.push(String((await once(running.stdout.setEncoding('utf8'), 'data'))[0]));
    running.kill('SIGTERM');
    expect(await running.ended).toBe(0);
  }
  const [below, standard] = banners;
  expect(below).toMatch(/^ {2}Prices +below the list price: gpt-4\.1\. See .*config check$/m);
  expect(standard).toContain('Upstream   provider at https://api.openai.com/v1');
  expect(standard).not.toContain('list price');
});
