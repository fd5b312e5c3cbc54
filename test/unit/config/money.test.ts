/** Prices, groups, plans and limits in the configuration, and their defaults. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Config, loadConfig } from '../../../server/config/config.ts';
import { temporaryFolder } from '../../harness/folder.ts';

function load(...lines: readonly string[]): Config {
  const file = join(temporaryFolder(), 'modelgate.yaml');
  writeFileSync(file, `${lines.join('\n')}\n`);
  return loadConfig({ file }, {});
}

test('enforces billing by default, with prices for every standard model and the groups default and vip', () => {
  const { billing, groups, models, plans, priceLists, limits, server } = loadConfig({}, {});
  const plain = { multiplier: '1', limits: {} };
  expect({ billing, groups, plans, priceLists }).toEqual({
    billing: 'enforce',
    groups: { default: plain, vip: plain },
    plans: {},
    priceLists: {},
  });
  for (const { id, kind, prices } of models)
    expect(prices, id).toMatchObject(kind === 'image' ? { images: { default: '0.25' } } : { output: expect.any(String) });
  expect(models.find(({ id }) => id === 'gpt-5.4')?.prices).toEqual({
    input: '2.5',
    cachedInput: '0.25',
    output: '15',
    longContext: { 272000: { input: '5', cachedInput: '0.5', output: '22.5' } },
    tools: { web_search_call: '0.01' },
  });
  expect({ limits, trustedProxies: server.trustedProxies }).toEqual({ limits: { perKey: {}, perAccount: {} }, trustedProxies: [] });
});

test('adds groups, plans, and price lists of the file to the two standard groups', () => {
  const config = load(
    'groups:',
    '  vip: { multiplier: "0.8", limits: { requestsPerMinute: 600 } }',
    '  partners: { multiplier: "0" }',
    'priceLists:',
    '  wholesale: { gpt-5.4: { input: "1", output: "8" }, gpt-5.4-mini: free }',
    'plans:',
    '  pro: { included: "20.50", priceList: wholesale, onExhaustion: balance }',
    '  small: { included: "5", period: day }',
  );
  expect(Object.keys(config.groups).sort()).toEqual(['default', 'partners', 'vip']);
  expect(config.groups.vip).toEqual({ multiplier: '0.8', limits: { requestsPerMinute: 600 } });
  expect(config.models[0]?.groups.toSorted()).toEqual(['default', 'partners', 'vip']);
  expect(config.plans).toEqual({
    pro: { included: '20.50', period: 'month', onExhaustion: 'balance', priceList: 'wholesale' },
    small: { included: '5', period: 'day', onExhaustion: 'stop', priceList: 'standard' },
  });
});

test('accepts addresses and ranges of IPv4 and IPv6 as trusted proxies', () => {
  const ranges = ['10.0.0.0/8', '192.0.2.7', '2001:db8::/32', '::1'];
  expect(load(`server: { trustedProxies: ${JSON.stringify(ranges)} }`).server.trustedProxies).toEqual(ranges);
});
