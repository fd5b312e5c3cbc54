/** The chart, rendered by Helm: with its defaults it is the file of the Kubernetes guide, and each setting changes what it says. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse, parseAllDocuments, stringify } from 'yaml';
import { z } from 'zod';
import { loadConfig } from '../../../server/config/config.ts';
import { temporaryFolder } from '../../harness/folder.ts';
import { helm, helmMissing, leftOut } from '../../harness/tools.ts';

const examples = join(import.meta.dirname, '../../../docs/examples');
const chart = join(examples, 'helm/modelgate');

type Manifest = Readonly<Record<string, unknown>> & { readonly kind: string };

function run(...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(helm.program, args, {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: temporaryFolder() },
  });
  expect(status, `${stdout}${stderr}`).toBe(0);
  return stdout;
}

function rendered(values: object = {}): Manifest[] {
  const file = join(temporaryFolder(), 'values.yaml');
  writeFileSync(file, stringify(values));
  return parseAllDocuments(run('template', 'modelgate', chart, '--values', file)).map((document) => document.toJS());
}
const ofKind = (manifests: readonly Manifest[], kind: string) => manifests.find((one) => one.kind === kind);

/** Without the labels and notes of Helm, and with the text of the configuration as its content. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(
    ([name]) => !/^(?:app\.kubernetes\.io\/(?:instance|version|managed-by)|helm\.sh\/chart|annotations)$/.test(name),
  );
  return Object.fromEntries(
    kept.flatMap(([name, part]) => {
      if (name === 'modelgate.yaml') return [[name, parse(String(part))]];
      return name === 'labels' && Object.keys(Object(plain(part))).length <= 1 ? [] : [[name, plain(part)]];
    }),
  );
}
const sorted = (manifests: readonly Manifest[]) => manifests.toSorted((one, other) => one.kind.localeCompare(other.kind)).map(plain);

describe.skipIf(helmMissing !== null)(`the chart${leftOut(helmMissing)}`, () => {
  test('passes the linter, also with everything switched on', () => {
    expect(run('lint', '--strict', chart)).toContain('0 chart(s) failed');
    const all = [
      'ingress.enabled=true',
      'ingress.tlsSecretName=t',
      'storage.className=fast',
      'image.pullSecrets[0].name=p',
      'nodeSelector.a=b',
    ];
    expect(run('lint', '--strict', chart, '--set', all.join())).toContain('0 chart(s) failed');
  });

  test('renders the file of the guide with its defaults', () => {
    const written = parseAllDocuments(readFileSync(join(examples, 'kubernetes/modelgate.yaml'), 'utf8')).map((document) => document.toJS());
    expect(sorted(rendered())).toEqual(sorted(written));
  });

  test('gives the gateway a configuration that loads, and replaces the pods when it changes', () => {
    const config = { upstreams: { demo: { kind: 'simulator' } }, models: [{ id: 'm', kind: 'text', prices: 'free' }] };
    const [one, other] = [rendered(), rendered({ config })];
    const file = join(temporaryFolder(), 'modelgate.yaml');
    writeFileSync(
      file,
      z.object({ data: z.object({ 'modelgate.yaml': z.string() }) }).parse(ofKind(other, 'ConfigMap')).data['modelgate.yaml'],
    );
    expect(loadConfig({ file }, { OPENAI_API_KEY: 'sk-test' }).models.map(({ id }) => id)).toEqual(['m']);
    const sums = [one, other].map((manifests) => JSON.stringify(ofKind(manifests, 'StatefulSet')).match(/"checksum\/config":"\w+"/)?.[0]);
    expect(sums[0]).toMatch(/[0-9a-f]{64}/);
    expect(sums[1]).not.toBe(sums[0]);
  });

  test('puts each setting where it belongs', () => {
    const manifests = rendered({
      image: { repository: 'registry.example/modelgate', tag: '1.2.3', pullSecrets: [{ name: 'pull' }] },
      replicas: 2,
      secretName: 'other',
      storage: { size: '2Gi', className: 'fast' },
      podMonitor: { enabled: false },
      ingress: { enabled: true, host: 'ai.example.com', tlsSecretName: 'certificate' },
      nodeSelector: { pool: 'gateways' },
    });
    expect(ofKind(manifests, 'PodMonitor')).toBeUndefined();
    const set = JSON.stringify(ofKind(manifests, 'StatefulSet'));
    for (const part of [
      ...[
        '"image":"registry.example/modelgate:1.2.3"',
        '"replicas":2',
        '"imagePullSecrets":[{"name":"pull"}]',
        '"secretRef":{"name":"other"}',
      ],
      ...['"storageClassName":"fast"', '"storage":"2Gi"', '"nodeSelector":{"pool":"gateways"}'],
    ])
      expect(set).toContain(part);
    const ingress = JSON.stringify(ofKind(manifests, 'Ingress'));
    for (const part of ['"host":"ai.example.com"', '"secretName":"certificate"', 'proxy-buffering":"off"', '"port":{"name":"http"}'])
      expect(ingress).toContain(part);
  });
});
