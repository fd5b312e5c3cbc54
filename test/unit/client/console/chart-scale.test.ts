/** The geometry of charts: ticks, stacked bars and lines. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { buildLinePath, getTicks, stackSeries } from '../../../../client/pages/src/kit/chart-scale.ts';

test('starts ticks at 0, at most six, of which only the last reaches the greatest value', () => {
  expect(getTicks(0n)).toEqual([0n]);
  fc.assert(
    fc.property(fc.bigInt({ min: 1n, max: 10n ** 18n }), (greatest) => {
      const ticks = getTicks(greatest);
      expect(ticks[0]).toBe(0n);
      expect(ticks.length).toBeLessThanOrEqual(6);
      expect(ticks.at(-1)).toBeGreaterThanOrEqual(greatest);
      expect(ticks.at(-2)).toBeLessThan(greatest);
    }),
  );
});

test('stacks a series on the series before it, and adds nothing for null', () => {
  expect(
    stackSeries(
      [
        [1n, null],
        [2n, 3n],
        [4n, 5n],
      ],
      2,
    ),
  ).toEqual({
    below: [
      [0n, 0n],
      [1n, 0n],
      [3n, 3n],
    ],
    sums: [7n, 8n],
  });
});

test('leaves a gap in a line where a value is unknown', () => {
  const path = buildLinePath([1n, 2n, null, 3n], 4n, { width: 400, height: 200, left: 60 });
  expect(path.match(/M/g)).toHaveLength(2);
  expect(path.match(/L/g)).toHaveLength(1);
});
