/** Run by the tests as a process of its own: finds books that differ, and tells a webhook, by a clock that it is given. */

import { Alerts as AlertSettings } from '../../server/config/schema-alerts.ts';
import { openStores } from '../../server/gateway/stores/open.ts';
import { Alerts } from '../../server/records/alerts/alerts.ts';
import { openLog } from '../../server/telemetry/log.ts';

const HOUR_MS = 3_600_000;
const [, , data = '', databaseUrl = '', webhookUrl = '', secret = '', clock = ''] = process.argv;
const now = Number(clock);
const database = { timeoutMs: 30_000, url: databaseUrl === '' ? undefined : databaseUrl };
const stores = await openStores({ data, durability: 'relaxed', database }, { isCalled: () => true, changed: () => undefined });
const settings = AlertSettings.parse({ webhooks: [{ name: 'ops', url: webhookUrl, secret }] });
await stores.activity.noteCheck({ hour: now - HOUR_MS, firstEntry: 1, posted: 2, summed: 1 });
const alerts = new Alerts({
  store: stores.alerts,
  read: stores.activity.ask,
  settings: () => settings,
  places: () => [],
  hasLedger: true,
  isCalled: () => true,
  node: `process ${process.pid}`,
  log: openLog({ log: { level: 'silent' } }),
  now: () => now,
  beatMs: null,
});
await alerts.checkNow();
await alerts.close();
await stores.close();
