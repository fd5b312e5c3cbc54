/** What a key may call, compared with the same rules written a second way. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { matchesPattern } from '../../../server/access/pattern.ts';
import { hasPermission, listCallableModels, mustNotStore } from '../../../server/access/permissions.ts';
import type { Permissions, Principal } from '../../../server/access/principal.ts';
import { loadConfig, type Model } from '../../../server/config/config.ts';

const [text, image] = (['text', 'image'] as const).map((kind) => loadConfig({}, {}).models.find((model) => model.kind === kind));
if (!text || !image) throw new Error('the standard catalog has a model of each kind');

const noLimits = { requestsPerMinute: null, tokensPerMinute: null, concurrency: null };
const holder = (group: string, permissions: Partial<Permissions> = {}): Principal => ({
  keyId: 'key_1',
  keyName: 'laptop',
  accountId: 'acct_1',
  group,
  permissions: { operations: null, models: null, mayStore: true, ...permissions },
  addresses: null,
  limits: { key: noLimits, account: noLimits },
  caps: [],
});

const model = (kind: Model['kind'], id: string, groups: readonly string[]): Model => ({ ...(kind === 'text' ? text : image), id, groups });

const operations = { text: ['createChatCompletion', 'createResponse'], image: ['generateImages', 'editImages'] } as const;
const letters = fc.string({ unit: fc.constantFrom('a', 'b', '-'), maxLength: 6 });
const patterns = fc.string({ unit: fc.constantFrom('a', 'b', '-', '*'), maxLength: 6 });
const groups = fc.uniqueArray(fc.constantFrom('default', 'vip', 'staff'), { minLength: 1 });
const models = fc.record({ kind: fc.constantFrom('text' as const, 'image' as const), id: letters, groups });
const anyOperation = fc.constantFrom(...operations.text, ...operations.image, 'getResponse');
const permissions = fc.record({
  operations: fc.option(fc.uniqueArray(anyOperation)),
  models: fc.option(fc.array(patterns, { maxLength: 4 })),
  mayStore: fc.boolean(),
});
/** The same pattern as a regular expression. */
const meaning = (pattern: string) => new RegExp(`^${pattern.replaceAll(/\*+/g, '.*')}$`);

test('F49: lists a model if and only if some operation can call it, for any catalog, group, and key', () => {
  fc.assert(
    fc.property(
      fc.array(models, { maxLength: 12 }),
      fc.constantFrom('default', 'vip', 'staff', 'gone'),
      permissions,
      (rows, group, may) => {
        const catalog = rows.map(({ kind, id, groups }) => model(kind, id, groups));
        const principal = holder(group, may);
        const listed = listCallableModels(principal, { list: () => catalog, find: () => undefined, candidates: () => [] });
        for (const each of catalog) {
          const byOperation = operations[each.kind].filter((operation) => hasPermission(principal, each, operation));
          expect(listed.includes(each)).toBe(byOperation.length > 0);
          const isNamed = may.models === null || may.models.some((pattern) => meaning(pattern).test(each.id));
          const expected = operations[each.kind].filter((operation) => may.operations?.includes(operation) ?? true);
          expect(byOperation).toEqual(each.groups.includes(group) && isNamed ? expected : []);
        }
        expect(listed).toEqual(catalog.filter((each) => listed.includes(each)));
      },
    ),
    { numRuns: 2_000 },
  );
});

test('matches any characters with a star, including slashes and none; all else matches only itself', () => {
  const cases = fc.tuple(fc.oneof(patterns, letters), letters);
  fc.assert(
    fc.property(cases, ([pattern, id]) => matchesPattern(pattern, id) === meaning(pattern).test(id)),
    { numRuns: 5_000 },
  );
  expect(matchesPattern('openai/*', 'openai/gpt-5.4/mini')).toBe(true);
  expect(matchesPattern('gpt.5', 'gpt-5')).toBe(false);
  expect(matchesPattern('GPT-*', 'gpt-5')).toBe(false);
});

/** A text that calls `onRead` for each character that is read. */
function watchedText(text: string, onRead: () => void): string {
  const letters = new Proxy(Object(text), {
    get(target, name) {
      if (typeof name === 'string' && /^\d+$/.test(name)) onRead();
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  // The proxy does all that a text does.
  return letters as string;
}

test('reads at most four times the product of both lengths for a slow pattern', () => {
  const [pattern, id] = [`${'*a'.repeat(100)}b`, 'a'.repeat(200)];
  const most = 4 * pattern.length * id.length;
  let reads = 0;
  const count = () => {
    if (++reads > most) throw new Error(`more than ${most} letters were read`);
  };
  expect(matchesPattern(watchedText(pattern, count), watchedText(id, count))).toBe(false);
  expect(reads).toBeGreaterThan(id.length);
});

test('serves calls unstored without the permission to store, and rejects `store: true`', () => {
  const may = holder('default');
  const mayNot = holder('default', { mayStore: false });
  expect([undefined, null, true, false].map((store) => mustNotStore(may, store))).toEqual([false, false, false, false]);
  expect([undefined, null, false].map((store) => mustNotStore(mayNot, store))).toEqual([true, true, false]);
  expect(() => mustNotStore(mayNot, true)).toThrow("can't store");
});
