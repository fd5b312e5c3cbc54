/** What people deploy with, as far as it can be checked without Docker: compose.yaml, Dockerfile, the unit for systemd. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { loadConfig } from '../../server/config/config.ts';
import { modelgate } from '../harness/command-line.ts';

const root = join(import.meta.dirname, '../..');
const read = (name: string): string => readFileSync(join(root, name), 'utf8');
const launch = 'server/operate/launch.mjs';
/** What a stop may take: the drain, and five seconds to close what is held. */
const stopMs = loadConfig({}, {}).server.drainMs + 5_000;

const Service = z.object({
  image: z.string(),
  build: z.string().optional(),
  environment: z.record(z.string(), z.string()).default({}),
  healthcheck: z.object({ test: z.array(z.string()).min(2) }),
  depends_on: z.record(z.string(), z.object({ condition: z.string() })).default({}),
  configs: z.array(z.object({ source: z.string(), target: z.string() })).default([]),
  ports: z.array(z.string()).default([]),
  read_only: z.boolean().default(false),
  stop_grace_period: z.string().optional(),
  volumes: z.array(z.string()).default([]),
});
const Compose = z.object({
  services: z.record(z.string(), Service),
  configs: z.record(z.string(), z.object({ content: z.string().optional(), file: z.string().optional() })),
  volumes: z.record(z.string(), z.unknown()),
});

describe('compose.yaml', () => {
  const text = read('compose.yaml');
  const { services, configs, volumes } = Compose.parse(parse(text, { merge: true }));
  const all = Object.entries(services);

  test('reads every secret from a variable, and does not start without it', () => {
    const secret = /\b(?:\w*PASSWORD|\w*PEPPER|REDISCLI_AUTH|requirepass)\b:? +(\S+)|:\/\/\w*:(.+?)@/g;
    const values = [...text.replaceAll(/^ *#.*$/gm, '').matchAll(secret)].map(([, given, inAddress]) => given ?? inAddress);
    expect(values.length).toBe(6);
    for (const value of values) expect(value).toMatch(/^\$\{(POSTGRES_PASSWORD|REDIS_PASSWORD|MODELGATE_PEPPER):\?/);
    for (const [, settings = ''] of text.matchAll(/\$\{(\w*(?:PASSWORD|PEPPER)\b[^}]*)\}/g)) expect(settings).toMatch(/^\w+:\?./);
  });

  test.each(all)('gives %s a health check and an image of one version', (_, { image, healthcheck }) => {
    expect(image).toMatch(/^[a-z]+:\d+\.\d+(\.\d+)?(-\w+)?(@sha256:[0-9a-f]{64})?$/);
    expect(['CMD', 'CMD-SHELL']).toContain(healthcheck.test[0]);
    expect(healthcheck.test.join(' ')).not.toContain('/v1');
  });

  test.each(all)('makes %s wait until the services it needs are healthy, and mounts only existing files', (_, service) => {
    for (const [name, { condition }] of Object.entries(service.depends_on)) {
      expect(services).toHaveProperty(name);
      expect(condition).toBe('service_healthy');
    }
    for (const volume of service.volumes) expect(volumes).toHaveProperty(volume.split(':')[0] ?? '');
    // Docker puts a file into such a container, but no text that is written in place.
    for (const { source } of service.configs) expect(configs[source]).toHaveProperty(service.read_only ? 'file' : 'content');
  });

  test('publishes only the port of the load balancer, by default only on this machine', () => {
    expect(all.filter(([, { ports }]) => ports.length > 0).map(([name]) => name)).toEqual(['balancer']);
    expect(services.balancer?.ports).toEqual([expect.stringMatching(/^\$\{MODELGATE_BIND:-127\.0\.0\.1\}:/)]);
  });

  const gateways = Object.fromEntries(all.filter(([, { build }]) => build !== undefined));

  test('runs two equal gateways behind the load balancer, each with time to drain', () => {
    expect(Object.keys(gateways)).toEqual(['gateway-1', 'gateway-2']);
    const [one, two] = Object.values(gateways).map(({ volumes: own, ...rest }) => rest);
    expect(one).toEqual(two);
    expect(Number(one?.stop_grace_period?.replace(/s$/, '')) * 1000).toBeGreaterThanOrEqual(stopMs);
    expect(Object.keys(one?.depends_on ?? {})).toEqual(['postgres', 'redis']);
    const balancer = configs.balancer?.content ?? '';
    for (const name of Object.keys(gateways)) expect(balancer).toContain(`${name}:8080`);
    expect(balancer).toMatch(/health_uri \/readyz/);
    // It would keep calls running whose callers have left.
    expect(balancer).not.toContain('flush_interval');
  });

  test('gives its gateways a valid configuration', () => {
    const file = /:-(.+)\}$/.exec(configs.gateway?.file ?? '')?.[1] ?? '';
    const env = { DATABASE_URL: 'postgres://u:p@postgres:5432/d', REDIS_URL: 'redis://:p@redis:6379', HOST: '0.0.0.0', OPENAI_API_KEY: '' };
    const config = loadConfig({ file: join(root, file) }, env);
    expect(config.server).toMatchObject({ host: '0.0.0.0', port: 8080 });
    expect(config.server.trustedProxies.length).toBeGreaterThan(0);
  });
});

describe('Dockerfile', () => {
  const lines = read('Dockerfile').replaceAll('\\\n', ' ').split('\n');
  const after = (word: string): string[] =>
    lines.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length).trim());
  const own = after('COPY').filter((words) => !words.startsWith('--from'));
  const sources = own.flatMap((words) => words.split(/\s+/).slice(0, -1));

  test('builds on one version of Node, the same as that of the packages', () => {
    const { optionalDependencies } = z
      .object({ optionalDependencies: z.record(z.string(), z.string()) })
      .parse(JSON.parse(read('package.json')));
    const versions = after('FROM').map((image) => /^node:([\d.]+)-slim/.exec(image)?.[1]);
    expect(new Set(versions)).toEqual(new Set(Object.values(optionalDependencies)));
  });

  test('runs as a user other than root, by a command that receives the signals', () => {
    expect(lines.lastIndexOf('USER node')).toBeGreaterThan(lines.findLastIndex((line) => line.startsWith('RUN ')));
    expect(after('STOPSIGNAL')).toEqual(['SIGTERM']);
    const [command = ''] = after('CMD');
    expect(JSON.parse(command)).toEqual(['node', launch, 'serve']);
    expect(existsSync(join(root, launch))).toBe(true);
    expect(after('VOLUME')).toEqual(['/data']);
  });

  test('checks its health without a shell, at a path that costs nothing', () => {
    const [check = ''] = after('HEALTHCHECK');
    const [program, option, code = ''] = z.array(z.string()).parse(JSON.parse(check.slice(check.indexOf('['))));
    expect([program, option]).toEqual(['node', '-e']);
    // A program, and one that says so where nobody answers.
    expect(spawnSync(process.execPath, ['-e', code], { env: { PORT: '1' } }).status).toBe(1);
    expect(code).toContain("'/readyz'");
  });

  test('copies only files that exist and that .dockerignore does not exclude', () => {
    const kept = read('.dockerignore')
      .split('\n')
      .filter((line) => line.startsWith('!'))
      .map((line) => line.slice(1));
    expect(sources.length).toBeGreaterThan(5);
    for (const source of sources) expect(existsSync(join(root, source)), source).toBe(true);
    expect(kept.toSorted()).toEqual(
      sources
        .map((source) => source.replace(/\/$/, ''))
        .filter((source, index, all) => all.indexOf(source) === index)
        .toSorted(),
    );
  });

  test('copies each list and document below docs that the program reads to the last stage', () => {
    const program = readdirSync(join(root, 'server'), { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
    const named = program.flatMap((file) =>
      [...read(`server/${file}`).matchAll(/(?:\.\.\/docs\/generated\/|openapi[\d.-]*json': ')([\w.-]+\.json)\b/g)].map(([, name]) => name),
    );
    const copied = lines.slice(lines.findLastIndex((line) => line.startsWith('FROM '))).join('\n');
    expect(new Set(named)).toEqual(
      new Set(['openapi.json', 'openapi-3.2.json', 'admin-openapi.json', 'public-models.json', 'field-probes.json']),
    );
    for (const name of named) expect(copied).toContain(`/app/docs/generated/${name} `);
  });

  test('copies every file that a gateway reads, so that it starts from these files', () => {
    const folder = mkdtempSync(join(tmpdir(), 'modelgate-test-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    for (const source of sources) execFileSync('cp', ['-r', '--parents', source, folder], { cwd: root });
    mkdirSync(join(folder, 'node_modules'));
    for (const name of readdirSync(join(root, 'node_modules'))) {
      if (!name.startsWith('.')) execFileSync('ln', ['-s', join(root, 'node_modules', name), join(folder, 'node_modules', name)]);
    }
    const code = `
      const { loadConfig } = await import('./server/config/config.ts');
      const { openGateway } = await import('./server/gateway/gateway.ts');
      const { openApp } = await import('./server/api/app.ts');
      const { openLog } = await import('./server/telemetry/log.ts');
      await import('./server/operate/cli.ts');
      await import('./server/api/admin/listener.ts');
      const config = loadConfig({ data: 'data', port: 0 }, {});
      const gateway = await openGateway(config, openLog({ log: { level: 'silent' } }));
      const app = await openApp(gateway);
      for (const url of ['/docs/', '/openapi.json', '/openapi-3.2.json', '/docs/guides/codex', '/readyz']) console.log((await app.inject({ url })).statusCode);
      await app.close();
      await gateway.close();
    `;
    writeFileSync(join(folder, 'try.mjs'), code);
    const { stdout, stderr } = spawnSync(process.execPath, ['try.mjs', 'version'], { cwd: folder, encoding: 'utf8' });
    expect(
      stdout.split('\n').filter((line) => line === '200'),
      stderr,
    ).toHaveLength(5);
  });
});

describe('modelgate.service', () => {
  const unit = read('docs/examples/modelgate.service');
  const valuesOf = (key: string): string[] => [...unit.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value = '']) => value);

  test('starts an existing command with the Node version of the packages', async () => {
    const [command = ''] = valuesOf('ExecStart');
    const [node = '', program = '', ...words] = command.split(' ').map((word) => word.replace('/opt/modelgate/', ''));
    expect([node, program]).toEqual(['node_modules/.bin/node', launch]);
    expect(words).toEqual(['serve', '--config', '/etc/modelgate/modelgate.yaml']);
    expect((await modelgate(['serve', '--help'])).stdout).toContain('--config');
  });

  test('gives the gateway time to drain, one folder, and no privileges', () => {
    expect(valuesOf('KillSignal')).toEqual(['SIGTERM']);
    expect(Number(valuesOf('TimeoutStopSec')[0]) * 1000).toBeGreaterThanOrEqual(stopMs);
    const set = Object.fromEntries(
      ['DynamicUser', 'StateDirectory', 'NoNewPrivileges', 'ProtectSystem', 'CapabilityBoundingSet'].map((key) => [key, valuesOf(key)]),
    );
    expect(set).toEqual({
      DynamicUser: ['yes'],
      StateDirectory: ['modelgate'],
      NoNewPrivileges: ['yes'],
      ProtectSystem: ['strict'],
      CapabilityBoundingSet: [''],
    });
    expect(valuesOf('Environment').join(' ')).toContain('MODELGATE_DATA=%S/modelgate');
  });

  const verifier = '/usr/bin/systemd-analyze';
  const isMissing = !existsSync(verifier);
  test.skipIf(isMissing)(`passes as a unit of systemd${isMissing ? `, LEFT OUT: there is no ${verifier}` : ''}`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'modelgate-test-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const file = join(folder, 'modelgate.service');
    // It looks for the program, too, which may be missing on a machine with a Node of its own.
    writeFileSync(file, unit.replace('/opt/modelgate/node_modules/.bin/node', process.execPath));
    const { status, stderr } = spawnSync(verifier, ['verify', '--man=no', file], { encoding: 'utf8' });
    const ours = stderr.split('\n').filter((line) => line.includes('modelgate'));
    expect({ status, ours }).toEqual({ status: 0, ours: [] });
  });
});
