/** Commands about a running gateway, on its own machine: they find its address and need no key. */
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { stringify } from 'yaml';
import { chatCompletion } from '../fakes/chat.ts';
import { json } from '../fakes/delivery.ts';
import { openFake } from '../fakes/upstream.ts';
import { receiverSecret } from '../fakes/webhook-receiver.ts';
import { modelgate, serve } from '../harness/command-line.ts';
import { temporaryFolder } from '../harness/folder.ts';
import { freePort } from '../harness/free-port.ts';

async function writeSettings(folder: string, adminPort: number, baseUrl: string): Promise<void> {
  const settings = {
    server: { port: 0 },
    admin: { port: adminPort },
    upstreams: { vendor: { kind: 'openai', baseUrl, apiKey: 'sk-vendor' } },
    models: [{ id: 'm', kind: 'text', prices: 'free' }],
  };
  writeFileSync(join(folder, 'modelgate.yaml'), stringify(settings));
}

test('tests an upstream, resets it, and lists limits without --url or a key, and leaves no key behind', async () => {
  const fake = await openFake({ apiKey: 'sk-vendor' });
  onTestFinished(() => fake.close());
  fake.always(() => json(chatCompletion()));
  const [folder, port] = [temporaryFolder(), await freePort()];
  await writeSettings(folder, port, fake.url);
  const served = await serve({ folder });
  const tested = await modelgate(['upstream', 'test', 'vendor'], { folder });
  expect(tested).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Works: +yes$/m) });
  expect(fake.requests).toHaveLength(1);
  expect(await modelgate(['upstream', 'reset', 'vendor'], { folder })).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('vendor reset'),
  });
  expect(await modelgate(['limit', 'list'], { folder })).toMatchObject({ code: 0, stdout: 'No limits are nearly reached.\n' });
  const { stdout } = await modelgate(['admin-key', 'list', '--json'], { folder });
  expect(JSON.parse(stdout).data.filter(({ revoked_at: at }: { revoked_at: string | null }) => at === null)).toEqual([]);

  const other = temporaryFolder();
  await writeSettings(other, port, fake.url);
  expect(await modelgate(['key', 'create', '--name', 'x'], { folder: other })).toMatchObject({ code: 0 });
  expect(await modelgate(['upstream', 'test', 'vendor'], { folder: other })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('uses another data folder'),
  });
  expect(await served.stop()).toBe(0);
  expect(await modelgate(['upstream', 'test', 'vendor'], { folder })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`No gateway responds at http://127.0.0.1:${port}.`),
  });
});

test('names admin.port when another program uses the port of operators', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void other.close());
  await once(other, 'listening');
  // A listening TCP server has an address with a port.
  const { port } = other.address() as AddressInfo;
  const folder = temporaryFolder();
  await writeSettings(folder, port, 'http://127.0.0.1:9/v1');
  const { code, stderr } = await modelgate(['serve'], { folder });
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('choose another port with admin.port') });
});

test('exits with 1 when a webhook or an upstream fails its test', async () => {
  const [folder, port] = [temporaryFolder(), await freePort()];
  const fake = await openFake({ apiKey: 'another key' });
  onTestFinished(() => fake.close());
  await writeSettings(folder, port, fake.url);
  const file = join(folder, 'modelgate.yaml');
  writeFileSync(
    file,
    `${readFileSync(file, 'utf8')}alerts: { webhooks: [{ name: ops, url: "http://127.0.0.1:9/", secret: "${receiverSecret}" }] }\n`,
  );
  const served = await serve({ folder });
  expect(await modelgate(['upstream', 'test', 'vendor'], { folder })).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/^Works: +no/m),
  });
  expect(await modelgate(['alert', 'test', 'ops'], { folder })).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/^Delivered: no/m),
  });
  expect(await served.stop()).toBe(0);
});
