/** compose with TLS, Prometheus and Grafana, as far as it can be checked without Docker: its files load in the programs that read them, and the alerts fire. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { z } from 'zod';
import { loadConfig } from '../../../server/config/config.ts';
import { temporaryFolder } from '../../harness/folder.ts';
import { leftOut } from '../../harness/tools.ts';

const root = join(import.meta.dirname, '../../..');
const read = (name: string): string => readFileSync(join(root, name), 'utf8');

const Service = z.object({
  image: z.string().optional(),
  ports: z.array(z.string()).default([]),
  networks: z.array(z.string()).default([]),
  volumes: z.array(z.string()).default([]),
  configs: z.array(z.object({ source: z.string(), target: z.string() })).default([]),
  healthcheck: z.object({ test: z.array(z.string()) }).optional(),
});
const Compose = z.object({
  services: z.record(z.string(), Service),
  configs: z.record(z.string(), z.object({ content: z.string().optional(), file: z.string().optional() })),
  volumes: z.record(z.string(), z.unknown()),
});
const { services, configs, volumes } = Compose.parse(parse(read('docs/examples/observed/compose.yaml')));
const base = z
  .object({ services: z.record(z.string(), z.unknown()), networks: z.record(z.string(), z.unknown()) })
  .parse(parse(read('compose.yaml'), { merge: true }));

const has = (program: string, argument: string): boolean => spawnSync(program, [argument]).status === 0;
const noPromtool = has('promtool', '--version') ? null : 'promtool is not installed here.';
const noCaddy = has('caddy', 'version') ? null : 'Caddy is not installed here.';

function run(program: string, args: readonly string[], folder: string): void {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: folder, encoding: 'utf8' });
  expect(status, `${stdout}${stderr}`).toBe(0);
}

test('mounts and names only existing parts, pins images, and publishes only TLS beyond the machine', () => {
  for (const [name, service] of Object.entries(services)) {
    for (const { source } of service.configs) expect(configs).toHaveProperty(source);
    for (const volume of service.volumes) expect(volumes).toHaveProperty(volume.split(':')[0] ?? '');
    for (const network of service.networks) expect(base.networks).toHaveProperty(network);
    if (service.image === undefined) expect(base.services).toHaveProperty(name);
    else expect([service.image, service.healthcheck?.test[0]]).toEqual([expect.stringMatching(/:v?\d+\.\d+\.\d+$/), 'CMD']);
  }
  for (const { file } of Object.values(configs))
    if (file !== undefined) expect(existsSync(join(root, file.replace(/^\$\{\w+:-(.*)\}$/, '$1')))).toBe(true);
  expect(Object.values(services).flatMap(({ ports }) => ports)).toEqual(['443:443', '80:80', '127.0.0.1:3000:3000']);
});

test('serves metrics where Prometheus scrapes the gateways', () => {
  const env = { DATABASE_URL: 'postgres://u:p@postgres:5432/d', REDIS_URL: 'redis://:p@redis:6379', HOST: '0.0.0.0', OPENAI_API_KEY: '' };
  const { metrics, server } = loadConfig({ file: join(root, 'docs/examples/observed/modelgate.yaml') }, env);
  expect(metrics).toMatchObject({ enabled: true, host: '0.0.0.0', accounts: true });
  expect(server.trustedProxies.length).toBeGreaterThan(0);
  const { scrape_configs: jobs } = parse(read('docs/examples/observed/prometheus.yaml'));
  expect(jobs[0].static_configs[0].targets).toEqual([`gateway-1:${metrics.port}`, `gateway-2:${metrics.port}`]);
});

test.skipIf(noPromtool !== null)(`passes promtool for its configuration and the alerts${leftOut(noPromtool)}`, () => {
  const folder = temporaryFolder();
  copyFileSync(join(root, 'docs/examples/observed/prometheus.yaml'), join(folder, 'prometheus.yaml'));
  copyFileSync(join(root, 'docs/examples/prometheus-alerts.yaml'), join(folder, 'alerts.yaml'));
  run('promtool', ['check', 'config', 'prometheus.yaml'], folder);
});

/** A series of a metric, and the alert that it sets off; every minute has one value. */
const firing: readonly (readonly [alert: string, series: string, values: string])[] = [
  ['ModelgateCallsFail', 'modelgate_requests_total{outcome="failed"}', '0+10x30'],
  ['ModelgateUpstreamUnavailable', 'modelgate_breaker_state{upstream="openai",model="m"}', '1x30'],
  ['ModelgateChargesWait', 'modelgate_outbox_waiting', '3x30'],
  ['ModelgateLimitsApart', 'modelgate_limits_shared', '0x30'],
  ['ModelgateOverloaded', 'modelgate_event_loop_delay{percentile="99"}', '0.5x30'],
];

test.skipIf(noPromtool !== null)(`fires each alert for its own cause only${leftOut(noPromtool)}`, () => {
  const folder = temporaryFolder();
  copyFileSync(join(root, 'docs/examples/prometheus-alerts.yaml'), join(folder, 'alerts.yaml'));
  const names = parse(read('docs/examples/prometheus-alerts.yaml')).groups[0].rules.map(({ alert }: { alert: string }) => alert);
  const quiet = names.map((alertname: string) => ({ eval_time: '30m', alertname, exp_alerts: [] }));
  const calm = firing.map(([, series]) => ({ series, values: series.includes('shared') ? '1x30' : '0x30' }));
  const expr = (alert: string) => `count(ALERTS{alertname="${alert}",alertstate="firing"})`;
  const tests = [
    { interval: '1m', input_series: calm, alert_rule_test: quiet },
    ...firing.map(([alert, series, values]) => ({
      interval: '1m',
      input_series: [{ series, values }],
      promql_expr_test: [{ expr: expr(alert), eval_time: '30m', exp_samples: [{ labels: '{}', value: 1 }] }],
    })),
  ];
  writeFileSync(join(folder, 'tests.yaml'), stringify({ rule_files: ['alerts.yaml'], evaluation_interval: '1m', tests }));
  run('promtool', ['test', 'rules', 'tests.yaml'], folder);
});

test.skipIf(noCaddy !== null)(`passes Caddy with TLS, and with the configuration of compose.yaml${leftOut(noCaddy)}`, () => {
  const folder = temporaryFolder();
  const plain = z
    .object({ configs: z.object({ balancer: z.object({ content: z.string() }) }) })
    .parse(parse(read('compose.yaml'), { merge: true }));
  for (const content of [configs.balancer?.content ?? '', plain.configs.balancer.content]) {
    writeFileSync(join(folder, 'Caddyfile'), content.replace(/\$\{MODELGATE_DOMAIN[^}]*\}/, 'gateway.example.com'));
    run('caddy', ['adapt', '--config', 'Caddyfile', '--adapter', 'caddyfile', '--validate'], folder);
  }
});
