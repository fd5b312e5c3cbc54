/** The wording of what people read follows docs/writing.md. What doesn't yet is counted for each file, and the counts only fall. */
import { expect, test } from 'vitest';
import { countAll, insteadIn, matchesIn, readCounts } from './wording/patterns.ts';

test('no file has more of the replaced words than before, and what has fallen stays', () => {
  const allowed = readCounts();
  const found = countAll();
  const paths = [...new Set([...Object.keys(allowed), ...Object.keys(found)])];
  const wrong = paths.flatMap((path) => {
    const [count, most] = [found[path] ?? 0, allowed[path] ?? 0];
    if (count > most) return [`${path} has ${count} of these words, ${most} are the most: ${insteadIn(path)}`];
    return count < most ? [`${path} has ${count} left of ${most}: run \`node test/meta/wording/patterns.ts\``] : [];
  });
  expect(wrong).toEqual([]);
});

test.each([
  ['The vendor refused it.', ['vendor', 'refused']],
  ['There is no key yet.', ['There is no']],
  ["The provider rejected it. 'n' must be 1.", []],
])('in "%s" it finds %j', (text, words) => {
  expect(
    matchesIn(text)
      .map(([word]) => word)
      .toSorted(),
  ).toEqual([...words].toSorted());
});
