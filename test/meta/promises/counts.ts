/** The counts on a page of promises: what one page says that the page before it said of more. */

/** By promise and what was counted: `G3 tests`, `G3 calls at once with money for fewer`. */
export function countsOf(page: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  let promise = '';
  for (const line of page.split('\n')) {
    promise = /^## (G\d+)$/.exec(line)?.[1] ?? promise;
    const [, passed] = /^([\d,]+) of [\d,]+ tests passed\./.exec(line) ?? [];
    if (passed !== undefined) counts.set(`${promise} tests`, numberOf(passed));
    const [, times, what] = /^- ([\d,]+) (.+) \([a-z0-9, -]+\)$/.exec(line) ?? [];
    if (times !== undefined && what !== undefined) counts.set(`${promise} ${what}`, numberOf(times));
  }
  return counts;
}

const numberOf = (text: string): number => Number(text.replaceAll(',', ''));

/** A sentence for each count of the page before that is smaller now, or gone. */
export function shrunkSince(before: string, now: string): string[] {
  const counts = countsOf(now);
  return [...countsOf(before)].flatMap(([what, was]) => {
    const is = counts.get(what) ?? 0;
    return is < was ? [`${what}: ${was} before, ${is} now`] : [];
  });
}
