/** The alerts of the guide for observers, and its dashboard, use metrics that there are. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

import { type Instrument, instruments } from '../../../server/telemetry/instruments.ts';

const docs = join(import.meta.dirname, '../../../docs');
const guide = readFileSync(join(docs, 'guides/observing.md'), 'utf8');
const all: readonly Instrument[] = Object.values(instruments);

/** As Prometheus reads it. */
const written = ({ name, kind }: Instrument): string => `${name.replaceAll('.', '_')}${kind === 'counter' ? '_total' : ''}`;

describe('the guide for observers', () => {
  it('shows alerts over metrics that there are', () => {
    const named = guide.match(/\bmodelgate_\w+/g) ?? [];
    expect(named.length).toBeGreaterThan(4);
    expect(named.filter((name) => !all.some((each) => written(each) === name))).toEqual([]);
  });
});

interface Target {
  readonly expr: string;
}
interface Panel {
  readonly type: string;
  readonly datasource?: { readonly uid: string };
  readonly targets?: readonly Target[];
}

describe('the dashboard', () => {
  // It is a file of ours; a part that is missing fails the tests below.
  const dashboard = JSON.parse(readFileSync(join(docs, 'examples/grafana-dashboard.json'), 'utf8')) as {
    readonly panels: readonly Panel[];
    readonly templating: { readonly list: readonly { readonly name: string; readonly type: string }[] };
  };
  const panels = dashboard.panels.filter(({ type }) => type !== 'row');
  const expressions = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));

  it('lets its reader choose the data source, and asks no other', () => {
    expect(dashboard.templating.list[0]).toMatchObject({ name: 'datasource', type: 'datasource' });
    expect(new Set(panels.map(({ datasource }) => datasource?.uid))).toEqual(new Set([`\${datasource}`]));
  });

  it('shows every metric, by labels that it has', () => {
    const shown = new Set(expressions.flatMap((expr) => expr.match(/\b(gen_ai_client|modelgate|process)_\w+/g) ?? []));
    const bare = [...shown].map((name) => name.replace(/_(bucket|sum|count)$/, ''));
    expect(new Set(bare)).toEqual(new Set(all.map(written)));
    for (const expr of expressions) {
      const metrics = all.filter((each) => new RegExp(`\\b${written(each)}(_bucket|_sum)?\\{`).test(expr));
      const known = [...metrics.flatMap(({ labels }) => labels).map((label) => label.replaceAll('.', '_')), 'instance', 'le'];
      const used = [...expr.matchAll(/by \(([^)]*)\)/g)].flatMap(([, names = '']) => names.split(', '));
      const asked = [...expr.matchAll(/[{,](\w+)(?:!?=~?)"/g)].map(([, name]) => name ?? '');
      expect(
        [...used, ...asked].filter((name) => !known.includes(name)),
        expr,
      ).toEqual([]);
    }
  });
});
