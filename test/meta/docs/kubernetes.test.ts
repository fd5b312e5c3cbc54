/** The files for Kubernetes and Prometheus, as far as they can be checked without either: ports, paths, times, settings and metrics are those of the gateway. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { loadConfig } from '../../../server/config/config.ts';
import { instruments } from '../../../server/telemetry/instruments.ts';
import { temporaryFolder } from '../../harness/folder.ts';

const examples = join(import.meta.dirname, '../../../docs/examples');
const read = (name: string): string => readFileSync(join(examples, name), 'utf8');
const documents = parseAllDocuments(read('kubernetes/modelgate.yaml')).map((document) => document.toJS());
const ofKind = (kind: string) => documents.find((document) => document.kind === kind) ?? expect.fail(`no ${kind}`);

const Probe = z.object({ httpGet: z.object({ path: z.string(), port: z.literal('http') }) });
const Container = z.object({
  image: z.string(),
  envFrom: z.array(z.object({ secretRef: z.object({ name: z.string() }) })),
  env: z.array(z.object({ name: z.string(), value: z.string() })),
  ports: z.array(z.object({ name: z.string(), containerPort: z.number() })),
  livenessProbe: Probe,
  readinessProbe: Probe,
  startupProbe: Probe,
  volumeMounts: z.array(z.object({ name: z.string(), mountPath: z.string() })),
});
const pod = ofKind('StatefulSet').spec.template.spec;
const container = Container.parse(pod.containers[0]);

/** The file of the ConfigMap, as the gateway loads it. */
function configured() {
  const file = join(temporaryFolder(), 'modelgate.yaml');
  writeFileSync(file, ofKind('ConfigMap').data['modelgate.yaml']);
  return loadConfig({ file }, { OPENAI_API_KEY: 'sk-test' });
}

test('loads the configuration, and names the ports that the gateway listens on', () => {
  const { server, metrics } = configured();
  const ports = Object.fromEntries(container.ports.map(({ name, containerPort }) => [name, containerPort]));
  // The image sets PORT.
  expect(readFileSync(join(examples, '../../Dockerfile'), 'utf8')).toContain(`PORT=${ports.http}`);
  expect([metrics.enabled, metrics.host, metrics.port]).toEqual([true, '0.0.0.0', ports.metrics]);
  expect(server.readinessDelayMs).toBe(10_000);
});

test('gives a pod time to drain, and probes it where the gateway responds', () => {
  const { server } = configured();
  expect(pod.terminationGracePeriodSeconds * 1_000).toBeGreaterThan(server.readinessDelayMs + server.drainMs + 5_000);
  const { livenessProbe, readinessProbe, startupProbe } = container;
  expect([livenessProbe, readinessProbe, startupProbe].map(({ httpGet }) => httpGet.path)).toEqual(['/livez', '/readyz', '/readyz']);
});

test('mounts and names only existing objects, and every selector finds its pods', () => {
  const labels = ofKind('StatefulSet').spec.template.metadata.labels;
  const selectors = [
    ofKind('StatefulSet').spec.selector.matchLabels,
    ofKind('Service').spec.selector,
    ofKind('PodDisruptionBudget').spec.selector.matchLabels,
    ofKind('PodMonitor').spec.selector.matchLabels,
  ];
  for (const selector of selectors) expect(labels).toMatchObject(selector);
  const volumes = [
    ...pod.volumes,
    ...ofKind('StatefulSet').spec.volumeClaimTemplates.map(({ metadata }: { metadata: object }) => metadata),
  ];
  const mounts = container.volumeMounts.map(({ name }) => name);
  expect(volumes.map(({ name }: { name: string }) => name).toSorted()).toEqual(mounts.toSorted());
  const file = container.env.find(({ name }) => name === 'MODELGATE_CONFIG')?.value ?? '';
  expect(container.volumeMounts.some(({ mountPath }) => file === `${mountPath}/modelgate.yaml`)).toBe(true);
  expect(ofKind('PodMonitor').spec.podMetricsEndpoints[0]).toMatchObject({ port: 'metrics', path: '/metrics' });
});

test('alerts name metrics that there are', () => {
  const { groups } = parse(read('prometheus-alerts.yaml'));
  const known = new Set(
    Object.values(instruments).map(({ name, kind }) => `${name.replaceAll('.', '_')}${kind === 'counter' ? '_total' : ''}`),
  );
  const rules: readonly { readonly alert: string; readonly expr: string; readonly annotations: object }[] = groups[0].rules;
  expect(rules.length).toBeGreaterThan(5);
  for (const { alert, expr, annotations } of rules) {
    const named = expr.match(/\bmodelgate_\w+/g) ?? [];
    expect(named.length, alert).toBeGreaterThan(0);
    for (const name of named) expect(known, alert).toContain(name);
    expect(Object.keys(annotations)).toEqual(['summary', 'description']);
  }
});
