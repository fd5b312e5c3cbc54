/** What a holder may make and change: whatever he asks for, no rule lets the made key do what his own may not. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { includesAddress, toBlockList } from '../../../server/access/caller-address.ts';
import { matchesPattern } from '../../../server/access/pattern.ts';
import { createManagementCheck, type OwnKeyParams, resolveChildSettings } from '../../../server/access/self-service.ts';
import type { KeyRecord } from '../../../server/access/store.ts';

const noLimits = { requestsPerMinute: null, tokensPerMinute: null, concurrency: null };
const account = { id: 'acct_1', name: 'acme', group: 'default', limits: noLimits, createdAt: 0, suspendedAt: null };
const keyOf = (id: string, changes: Partial<KeyRecord> = {}): KeyRecord => ({
  id,
  account,
  name: id,
  lastFour: 'abcd',
  permissions: { operations: null, models: null, mayStore: true, manageKeys: true },
  ipRanges: null,
  limits: noLimits,
  caps: [],
  inheritedCaps: [],
  capOwner: 'key_first',
  createdAt: 0,
  expiresAt: null,
  revokedAt: null,
  replacedBy: null,
  madeBy: null,
  ...changes,
});
const rules = { selfService: { maxKeys: 10, delegate: false }, perKey: {} };
const make = (maker: Partial<KeyRecord>, order: OwnKeyParams, more: Partial<typeof rules> = {}) =>
  resolveChildSettings(keyOf('key_maker', maker), order, { ...rules, ...more });
const everything = { operations: null, models: null, mayStore: true, manageKeys: true };

describe('a key created by a key owner', () => {
  const patterns = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', '*'), minLength: 1, maxLength: 4 }), {
    minLength: 1,
    maxLength: 3,
  });
  const ids = fc.array(fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 6 }), { minLength: 20, maxLength: 40 });
  const reaches = (models: readonly string[] | null, id: string) => models === null || models.some((one) => matchesPattern(one, id));

  test('reaches no model that the patterns of the maker do not reach', () => {
    let made = 0;
    fc.assert(
      fc.property(fc.option(patterns), fc.option(patterns), ids, (own, asked, names) => {
        const settings = make({ permissions: { ...everything, models: own } }, { permissions: { models: asked } });
        if ('param' in settings) {
          expect(settings.param).toBe('permissions.models');
          return;
        }
        made++;
        for (const id of names) if (reaches(settings.permissions.models, id)) expect(reaches(own, id)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
    expect(made).toBeGreaterThan(100);
  });

  test("works from no address that its creator can't use", () => {
    const octets = fc.tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 24, max: 32 }));
    const ranges = fc.array(octets, { minLength: 1, maxLength: 2 }).map((all) => all.map(([last, bits]) => `192.0.2.${last}/${bits}`));
    let made = 0;
    fc.assert(
      fc.property(fc.option(ranges), fc.option(ranges), (own, asked) => {
        const settings = make({ ipRanges: own }, { ipRanges: asked });
        if ('param' in settings) {
          expect(settings.param).toBe('ip_ranges');
          return;
        }
        made++;
        for (const last of [0, 1, 2, 3, 4, 8, 17, 130, 255]) {
          const address = `192.0.2.${last}`;
          const isThere = settings.ipRanges === null || includesAddress(toBlockList(settings.ipRanges), address);
          if (isThere) expect(own === null || includesAddress(toBlockList(own), address)).toBe(true);
        }
      }),
      { numRuns: 1_000 },
    );
    expect(made).toBeGreaterThan(100);
  });
});

test('lets owners change their key and the keys created from it, through any rotation, and nothing else', () => {
  const keys = [
    keyOf('old', { replacedBy: 'new' }),
    keyOf('new'),
    keyOf('child', { madeBy: 'old', replacedBy: 'child2' }),
    keyOf('child2', { madeBy: 'old' }),
    keyOf('grandchild', { madeBy: 'child' }),
    keyOf('other'),
    keyOf('of other', { madeBy: 'other' }),
    keyOf('loop', { madeBy: 'loop', replacedBy: 'loop' }),
  ];
  const namesFor = (id: string) => {
    const actor = keys.find((one) => one.id === id) ?? expect.fail(id);
    return keys.filter(createManagementCheck(actor, keys)).map((one) => one.id);
  };
  expect(namesFor('new')).toEqual(['old', 'new', 'child', 'child2', 'grandchild']);
  expect(namesFor('child2')).toEqual(['child', 'child2', 'grandchild']);
  expect(namesFor('grandchild')).toEqual(['grandchild']);
  expect(namesFor('other')).toEqual(['other', 'of other']);
  expect(namesFor('loop')).toEqual(['loop']);
});
