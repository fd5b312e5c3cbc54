/** G10: a configuration is reloaded under load, completely or not at all; running calls keep their upstream and price (F50, F60). */
import { appendFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { chatCompletion, chatFrames } from '../fakes/chat.ts';
import { json, stream } from '../fakes/delivery.ts';
import { modelgate } from '../harness/command-line.ts';
import { recordAttempts } from '../harness/record-attempts.ts';
import { makeMistakes } from './reload/mistakes.ts';
import { openStage, REFUSED, RELOADED, textOf } from './reload/stage.ts';

test('F60: keeps upstream and price of calls in flight during a reload, and uses the new ones for later calls', async () => {
  const stage = await openStage();
  const { first, second, served } = stage;
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const frames = chatFrames({ text: ['old ', 'stream'], includeUsage: true });
  first.clear();
  first.next(stream([...frames.slice(0, 2), { until: gate }, ...frames.slice(2)]), { times: 5 });
  first.next(async () => {
    await gate;
    return json(chatCompletion({ text: 'old call' }));
  });
  const streams = await Promise.all(Array.from({ length: 5 }, () => stage.call({ stream: true, stream_options: { include_usage: true } })));
  const waiting = stage.call();
  await first.arrival(5);

  const vendor = { kind: 'openai', baseUrl: second.url, apiKey: 'sk-another-secret' };
  const prices = { input: '1', output: '4' };
  const models = [
    { id: 'm', kind: 'text', upstream: 'vendor', prices },
    { id: 'fresh', kind: 'text', upstream: 'vendor', prices, limits: { requestsPerMinute: 1 } },
  ];
  stage.write(stage.settings({ upstreams: { vendor }, models, groups: { team: {}, crew: {} }, log: { level: 'warn' } }));
  const line = await stage.reload();
  expect(line).toEqual({
    status: 200,
    body: {
      object: 'config_reload',
      added: ['groups.crew', 'models.fresh'],
      removed: ['models.n'],
      changed: expect.arrayContaining(['upstreams.vendor.baseUrl', 'upstreams.vendor.apiKey', 'models.m.prices.output', 'log.level']),
    },
  });

  expect(await textOf(await stage.call())).toBe('second');
  expect(second.last.headers.authorization).toBe('Bearer sk-another-secret');
  expect((await stage.call({ model: 'fresh' })).status).toBe(200);
  expect((await stage.call({ model: 'fresh' })).status).toBe(429);
  expect((await stage.call({ model: 'n' })).status).toBe(404);
  open();
  expect(await textOf(await waiting)).toBe('old call');
  for (const answer of streams) {
    const transcript = await answer.text();
    expect(transcript).toContain('stream');
    expect(transcript).toContain('data: [DONE]');
  }
  // Versions 1 and 2 are m and n at the start; 3 and 4 are of the new file.
  expect(stage.versions()).toEqual([1, 1, 1, 1, 1, 1, 3, 4]);
  await expect.poll(() => first.connections.open).toBe(0);
  // The new log level is `warn`: later calls have no line.
  expect(served.logged('request')).toHaveLength(0);
  expect(served.log).not.toMatch(/sk-(vendor|another)-secret/);
});

test('uses a changed key of an env file or a referenced file after a reload, and never shows it', async () => {
  const stage = await openStage();
  const keyFile = join(dirname(stage.file), 'provider-key');
  const run = (...words: string[]) =>
    modelgate(['config', ...words, '--url', stage.adminOrigin], { env: { MODELGATE_ADMIN_KEY: stage.adminKey } });
  const changed = { status: 200, body: { added: [], removed: [], changed: ['upstreams.vendor.apiKey'] } };
  const keyInUse = async () => {
    expect((await stage.call()).status).toBe(200);
    return stage.first.last.headers.authorization;
  };
  writeFileSync(stage.envFile, '# rotated\nVENDOR_KEY="sk-second-secret"\n');
  expect(await keyInUse()).not.toContain('second');
  const diff = await run('diff');
  expect(diff.stdout).toContain('.apiKey: (secret)');
  expect(await stage.reload()).toMatchObject(changed);
  expect(await keyInUse()).toBe('Bearer sk-second-secret');

  const check = () => modelgate(['config', 'check'], { folder: dirname(stage.file), env: { MODELGATE_ENVIRONMENT_FILE: 'secrets.env' } });
  expect(await check()).toMatchObject({ code: 0, stdout: expect.stringContaining('modelgate.yaml') });
  stage.write(stage.settings({ upstreams: { vendor: { kind: 'openai', baseUrl: stage.first.url, apiKey: `\${file:provider-key}` } } }));
  const missing = await stage.reload();
  expect(missing).toMatchObject({ status: 400, body: { problems: [{ key: 'upstreams.vendor.apiKey' }] } });
  expect(missing.body.problems?.[0]?.where).toMatch(/\.yaml:\d+:\d+$/);
  writeFileSync(keyFile, 'sk-third-secret\n');
  expect(await stage.reload()).toMatchObject(changed);
  expect(await keyInUse()).toBe('Bearer sk-third-secret');
  writeFileSync(keyFile, 'sk-fourth-secret');
  expect(await stage.hangUp(RELOADED)).toMatchObject({ changed: ['upstreams.vendor.apiKey'] });
  expect(await keyInUse()).toBe('Bearer sk-fourth-secret');
  const shown = await run('show', '--under', 'upstreams');
  expect(shown.stdout).toMatch(/apiKey +\(secret, set\) +provider-key, .*modelgate\.yaml:\d+\n/);

  writeFileSync(keyFile, 'sk-fifth secret\n');
  expect(await stage.reload()).toMatchObject({ status: 400, body: { problems: [{ key: 'upstreams.vendor.apiKey' }] } });
  writeFileSync(keyFile, '');
  await stage.hangUp(REFUSED);
  rmSync(stage.envFile);
  expect(await stage.hangUp(REFUSED)).toMatchObject({ problems: [expect.stringContaining('--environment-file')] });
  expect(await check()).toMatchObject({ code: 1, stderr: expect.stringContaining('secrets.env: The file of environment variables') });
  expect(await keyInUse()).toBe('Bearer sk-fourth-secret');
  expect(stage.served.log + diff.stdout + shown.stdout + JSON.stringify(missing)).not.toMatch(/sk-|-secret/);
});

test('logs one line on SIGHUP with the changed keys, without their values', async () => {
  const stage = await openStage();
  stage.write(stage.settings({ limits: { perKey: { requestsPerMinute: 4321 } }, server: { heartbeatMs: 12_345 } }));
  expect(await stage.hangUp(RELOADED)).toMatchObject({
    level: 'info',
    trigger: 'signal',
    added: ['limits.perKey.requestsPerMinute'],
    removed: [],
    changed: ['server.heartbeatMs'],
  });
  expect(stage.served.log).not.toMatch(/4321|12345/);
  expect((await stage.call()).headers.get('x-ratelimit-limit-requests')).toBe('4321');
  expect(await stage.hangUp('configuration unchanged')).toMatchObject({ level: 'info', trigger: 'signal' });
});

test('G10: rejects 200 bad files under load with file, line and key, and serves all calls', { timeout: 600_000 }, async () => {
  const stage = await openStage({
    server: { drainMs: 30_000, heartbeatMs: 15_000 },
    log: { level: 'info' },
    history: { days: 30 },
    limits: { perKey: { requestsPerMinute: 1_000_000 }, perAccount: { concurrency: { limit: 1_000, mode: 'observe' } } },
    plans: { pro: { included: '5', period: 'day' } },
    codex: { models: true, contextWindow: 100_000 },
  });
  const good = stage.settings();
  const mistakes = makeMistakes(good);
  expect(new Set(mistakes.map(({ text }) => text)).size).toBe(200);
  const stop = stage.load(4);
  for (const [index, { text, key, status }] of mistakes.entries()) {
    stage.write(text);
    if (index % 20 === 0) {
      const { problems } = await stage.hangUp(REFUSED);
      expect(JSON.stringify(problems)).toMatch(/modelgate\.yaml:\d+:\d+: /);
    }
    const told = await stage.reload();
    const { problems = [] } = told.body;
    // The text is compared too, so that a failure shows the file.
    expect({ text, status: told.status }).toEqual({ text, status });
    for (const problem of problems)
      expect({ text, where: problem.where }).toEqual({ text, where: expect.stringMatching(/\.yaml:\d+:\d+$/) });
    expect({ text, keys: problems.map((problem) => problem.key) }).toEqual({ text, keys: expect.arrayContaining([key]) });
    expect(JSON.stringify(told.body)).not.toContain('sk-vendor-secret');
  }
  stage.write(good);
  expect(await stage.reload()).toMatchObject({ status: 200, body: { added: [], removed: [], changed: [] } });
  expect(await stop()).toBeGreaterThan(200);
  expect(new Set(stage.versions())).toEqual(new Set([1]));
  expect(stage.second.requests).toHaveLength(0);
  recordAttempts('G10', { what: 'bad files under load', times: mistakes.length });
});

test("reloads a watched file when it's replaced, and not before it's written completely", async () => {
  const stage = await openStage({ reload: { watch: true } });
  const stop = stage.load(2);
  const logged = () => stage.served.logged(RELOADED);
  stage.write(stage.settings({ upstreams: { vendor: { kind: 'openai', baseUrl: stage.second.url } } }));
  await expect.poll(() => logged().length).toBe(1);
  expect(logged()[0]).toMatchObject({ trigger: 'file' });
  expect(await textOf(await stage.call())).toBe('second');
  // The first half alone is a valid file without one of the models.
  const whole = stringify(stage.settings());
  const half = whole.indexOf('  - id: n');
  writeFileSync(stage.file, whole.slice(0, half));
  const told = logged().length;
  appendFileSync(stage.file, whole.slice(half));
  await expect.poll(() => logged().length).toBe(told + 1);
  expect(logged().at(-1)).toMatchObject({ removed: ['upstreams.vendor.apiKey'].slice(1) });
  expect(await textOf(await stage.call({ model: 'n' }))).toBe('first');
  expect(await stop()).toBeGreaterThan(0);
});

test('F50, G10: rejects a file without upstreams, models, or a group that has accounts, and serves calls', async () => {
  const stage = await openStage();
  for (const section of ['upstreams', 'models']) {
    const { [section]: _, ...rest } = stage.settings();
    stage.write(rest);
    expect((await stage.reload()).body).toMatchObject({ error: { code: 'invalid_value', param: section }, problems: [{ key: section }] });
  }
  stage.write('');
  expect((await stage.reload()).status).toBe(409);
  const folder = stage.file.replace(/\/[^/]*$/, '');
  stage.write(stage.settings());
  expect(await modelgate(['account', 'create', 'ada', '--group', 'team'], { folder, env: { VENDOR_KEY: 'x' } })).toMatchObject({ code: 0 });
  stage.write(stage.settings({ groups: {} }));
  expect((await stage.reload()).body.error?.message).toMatch(
    /modelgate\.yaml:\d+:\d+: groups\.team is missing, but an account is in this group/,
  );
  expect((await stage.call()).status).toBe(200);
});

test('prints the changes or the problem with config reload, and records the admin key in the audit log', async () => {
  const stage = await openStage();
  const run = (...words: string[]) => modelgate(['config', 'reload', ...words], { env: { MODELGATE_ADMIN_KEY: stage.adminKey } });
  stage.write(stage.settings({ codex: { contextWindow: 100_000 } }));
  expect(await run('--url', stage.adminOrigin)).toMatchObject({
    code: 0,
    stderr: '',
    stdout: 'The configuration was reloaded.\nChanged: codex.contextWindow\n',
  });
  expect((await run('--url', stage.adminOrigin)).stdout).toBe('The file has no changes. Nothing was reloaded.\n');
  stage.write('server: { prot: 1 }\n');
  const wrong = await run('--url', stage.adminOrigin);
  expect(wrong).toMatchObject({ code: 1, stdout: '' });
  expect(wrong.stderr).toMatch(/modelgate\.yaml:1:11: server\.prot isn't a known key\. Did you mean port\?\n/);
  expect((await stage.reload('mga-nobody')).status).toBe(401);
  const audit = await fetch(`${stage.adminOrigin}/admin/v1/audit`, { headers: { authorization: `Bearer ${stage.adminKey}` } });
  // The fields that the test needs.
  const { data } = (await audit.json()) as { data: { action: string; actor: string; details: unknown }[] };
  expect(data.filter(({ action }) => action === 'config.reload')).toMatchObject([
    { actor: expect.stringMatching(/^admin_/), details: { added: [], removed: [], changed: ['codex.contextWindow'] } },
  ]);
});

test('shows the active configuration with its sources, and the changes of a reload, which the digest pins', async () => {
  const stage = await openStage();
  const run = (...words: string[]) =>
    modelgate(['config', ...words, '--url', stage.adminOrigin], { env: { MODELGATE_ADMIN_KEY: stage.adminKey } });
  const { stdout } = await run('show');
  expect(stdout).toMatch(/upstreams\.vendor\.apiKey +\(secret, set\) +VENDOR_KEY, .*modelgate\.yaml:\d+\n/);
  expect(stdout).toMatch(/server\.port +0 +--port\n/);
  expect(stdout).toMatch(/models\.m\.prices\.output +2 +.*modelgate\.yaml:\d+\n/);
  expect(stdout).not.toContain('sk-vendor-secret');
  stage.write(stage.settings({ codex: { contextWindow: 100_000 } }));
  const diff = await run('diff');
  expect(diff).toMatchObject({ code: 0, stderr: '' });
  expect(diff.stdout).toMatch(/^~ codex\.contextWindow: 200000 → 100000\n\nDigest: +[0-9a-f]{64}\n$/);
  const digest = /Digest: +(\w+)/.exec(diff.stdout)?.[1] ?? '';
  stage.write(stage.settings({ codex: { contextWindow: 50_000 } }));
  expect(await run('reload', '--digest', digest)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('differs from the one that was checked'),
  });
  stage.write(stage.settings({ codex: { contextWindow: 100_000 } }));
  expect(await run('reload', '--digest', digest)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Changed: codex.contextWindow'),
  });
  stage.write('server: { prot: 1 }\n');
  expect(await run('diff')).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/modelgate\.yaml:1:11: server\.prot isn't a known key\. Did you mean port\?\n/),
  });
});

test('F53: keeps connections, open files and memory constant over 50 reloads', async () => {
  const stage = await openStage();
  const round = async (index: number): Promise<void> => {
    const vendor = { kind: 'openai', baseUrl: stage.first.url, timeouts: { connectMs: 5_000 + index } };
    stage.write(stage.settings({ upstreams: { vendor } }));
    expect((await stage.reload()).status).toBe(200);
    expect((await stage.call()).status).toBe(200);
  };
  for (let index = 0; index < 10; index++) await round(index);
  // The heartbeat thread opens its database connection with its second heartbeat.
  await expect.poll(() => stage.databases()).toBe(4);
  const [handles, bytes] = [stage.handles(), stage.residentBytes()];
  for (let index = 10; index < 60; index++) await round(index);
  await expect.poll(() => stage.first.connections.open).toBe(1);
  expect(stage.handles()).toBeLessThanOrEqual(handles + 3);
  expect(stage.residentBytes() - bytes).toBeLessThan(40 * 1024 * 1024);
});
