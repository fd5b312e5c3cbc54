/** The order of destinations: by priority, by weight, and stable for a session. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Destination, orderForLoadBalancing } from '../../../server/providers/load-balancing.ts';

const place = (upstream: string, more: Partial<Destination> = {}): Destination => ({
  upstream,
  upstreamModel: 'm',
  priority: 1,
  weight: 1,
  ...more,
});
const first = (places: readonly Destination[], session: string | null): string | undefined =>
  orderForLoadBalancing(places, session)[0]?.upstream;

test('puts destinations of a lower priority after all of a higher one', () => {
  const places = [place('c', { priority: 2, weight: 1000 }), place('a'), place('b')];
  for (let n = 0; n < 100; n++) expect(orderForLoadBalancing(places, `s${n}`).map(({ upstream }) => upstream)[2]).toBe('c');
});

test.each([{ session: true }, { session: false }])(
  'puts each destination first as often as its weight says (by session: $session)',
  ({ session }) => {
    const places = [place('a', { weight: 3 }), place('b', { weight: 1 })];
    const draws = Array.from({ length: 4_000 }, (_, n) => first(places, session ? `session ${n}` : null));
    const share = draws.filter((name) => name === 'a').length / draws.length;
    // Five standard deviations around three quarters.
    expect(Math.abs(share - 0.75)).toBeLessThan(0.035);
  },
);

test('F26: keeps the destination of a session when others are removed or reordered', () => {
  const names = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 8 }), { minLength: 2, maxLength: 6 });
  fc.assert(
    fc.property(names, fc.string(), fc.nat(), (upstreams, session, index) => {
      const places = upstreams.map((name) => place(name));
      const home = first(places, session);
      expect(first(places.toReversed(), session)).toBe(home);
      const gone = upstreams[index % upstreams.length];
      if (gone === home) return;
      expect(
        first(
          places.filter(({ upstream }) => upstream !== gone),
          session,
        ),
      ).toBe(home);
    }),
  );
});
