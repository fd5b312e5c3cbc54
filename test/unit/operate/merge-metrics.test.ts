/** The metrics of several workers as one text: counts are added, states are those of the worst, and no series stands twice. */
import { describe, expect, test } from 'vitest';

import { mergeMetrics } from '../../../server/operate/merge-metrics.ts';
import { instruments } from '../../../server/telemetry/instruments.ts';

const counter = (count: number, label = 'a b') => `# HELP x_total Things.\n# TYPE x_total counter\nx_total{name="${label}"} ${count}\n`;

describe('the metrics of several workers', () => {
  test('adds counters by their labels, and writes each head once', () => {
    expect(mergeMetrics([counter(2), counter(3), counter(5, 'other}')])).toBe(
      '# HELP x_total Things.\n# TYPE x_total counter\nx_total{name="a b"} 5\nx_total{name="other}"} 5\n',
    );
  });

  test('adds buckets of a histogram, including that of infinity', () => {
    const text = '# HELP h s\n# TYPE h histogram\nh_count 2\nh_sum 0.5\nh_bucket{le="0.1"} 1\nh_bucket{le="+Inf"} 2\n';
    expect(mergeMetrics([text, text])).toBe(
      '# HELP h s\n# TYPE h histogram\nh_count 4\nh_sum 1\nh_bucket{le="0.1"} 2\nh_bucket{le="+Inf"} 4\n',
    );
  });

  test.each([
    ['modelgate_breaker_state', 1],
    ['modelgate_event_loop_delay_seconds', 1],
    ['modelgate_limits_shared', 0],
    ['modelgate_streams_open', 1],
    ['process_memory_usage_bytes', 1],
  ])('merges %s of a worker with 0 and one with 1 to %d', (name, merged) => {
    const of = (value: number) => `# HELP ${name} s\n# TYPE ${name} gauge\n${name} ${value}\n`;
    expect(mergeMetrics([of(0), of(1)])).toContain(`\n${name} ${merged}\n`);
    expect(mergeMetrics([of(1), of(0)])).toContain(`\n${name} ${merged}\n`);
  });

  test('adds two streams at one worker to three at another', () => {
    const of = (value: number) => `# HELP modelgate_streams_open s\n# TYPE modelgate_streams_open gauge\nmodelgate_streams_open ${value}\n`;
    expect(mergeMetrics([of(2), of(3)])).toContain('\nmodelgate_streams_open 5\n');
  });

  test('keeps a metric that only one worker has, and spells infinity as Prometheus does', () => {
    expect(mergeMetrics(['', '# HELP g s\n# TYPE g gauge\ng +Inf\n'])).toBe('# HELP g s\n# TYPE g gauge\ng +Inf\n');
  });

  test('covers every gauge that is a state, not a count, with a rule', () => {
    const gauges = Object.values(instruments).flatMap(({ name, kind, unit }) =>
      kind === 'gauge' && ['1', 's'].includes(unit) ? [name] : [],
    );
    expect(gauges.toSorted()).toEqual(['modelgate.breaker.state', 'modelgate.event_loop.delay', 'modelgate.limits.shared']);
  });
});
