/** Writes docs/generated/metrics.md: every metric of the gateway. */
import { instruments } from '../../server/telemetry/instruments.ts';
import type { Output } from './output.ts';
import { table } from './table.ts';

const introduction = `# Metrics reference

Names with dots are for OpenTelemetry. In Prometheus, each dot is \`_\`, and counters end in \`_total\`. The \`gen_ai.\` names and their labels follow OpenTelemetry's
conventions for generative AI. [Monitor a gateway](../guides/observing.md) turns metrics on.`;

const code = (text: string): string => `\`${text}\``;

export function metricsOutput(): Output {
  const rows = Object.values(instruments).map(({ name, kind, unit, labels, description }) => [
    ...[code(name), kind, code(unit), labels.map(code).join(', '), description],
  ]);
  return {
    path: '../generated/metrics.md',
    text: `${introduction}\n\n${table([['Metric', 'Kind', 'Unit', 'Labels', 'Counts'], ...rows])}\n`,
  };
}
