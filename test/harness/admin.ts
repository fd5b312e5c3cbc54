/** Starts the operators' API on a free port for one test file, with its own real stores and sockets. Each answer is checked against the contract. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { ErrorBody } from '../../contract/shared/error-bodies.ts';
import type { Access } from '../../server/access/access.ts';
import { issueAdminKey } from '../../server/access/issue-key.ts';
import { openLazyAdminListener } from '../../server/api/admin/lazy-listener.ts';
import type { AdminListenerOptions } from '../../server/api/admin/listener.ts';
import { type Config, loadConfigFile } from '../../server/config/config.ts';
import { STANDARD_ADMIN_PORT } from '../../server/config/schema-server.ts';
import { openLimits } from '../../server/gateway/gateway.ts';
import { openReloader } from '../../server/gateway/reload.ts';
import { openStores } from '../../server/gateway/stores/open.ts';
import type { Stores } from '../../server/gateway/stores/stores.ts';
import { LimitUse } from '../../server/limits/limit-use.ts';
import type { Limiter } from '../../server/limits/limiter.ts';
import { openActivityReader } from '../../server/records/list-requests.ts';
import { openLog } from '../../server/telemetry/log.ts';
import { receiverSecret } from '../fakes/webhook-receiver.ts';
import { freshStores } from './stores.ts';

/** The parsed body of an answer: the fields that tests read by name, and all others as `unknown`. */
export interface ToldBody {
  readonly id: string;
  readonly key: string;
  readonly name: string;
  readonly version: number;
  readonly repeated: boolean;
  readonly data: readonly ToldBody[];
  readonly has_more: boolean;
  readonly last_id: string;
  readonly [field: string]: unknown;
}
export interface AdminAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: ToldBody;
}

export interface TestAdmin extends Pick<Stores, 'access' | 'ledger' | 'activity' | 'sessions' | 'alerts'> {
  readonly origin: string;
  readonly folder: string;
  /** The configuration file. */
  readonly file: string;
  readonly config: Config;
  /** The admin key that `call` sends by default. */
  readonly key: string;
  readonly keyId: string;
  readonly limits: Limiter;
  readonly limitUse: LimitUse;
  /** Sends a request to a path below `/admin/v1`. `key`: null sends none. */
  call(method: string, path: string, body?: unknown, key?: string | null): Promise<AdminAnswer>;
  close(): Promise<void>;
}

const silent = openLog({ log: { level: 'silent' } });

interface AdminOptions extends Pick<AdminListenerOptions, 'arrivalMs'> {
  /** Whether the configuration file can be reloaded, as in a running gateway. */
  readonly isReloading?: boolean;
  /** Environment variables that the file may refer to. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts the API. `settings`: as in modelgate.yaml; without `admin.port` any free port. Absent: the simulator with the standard catalog. */
export async function startAdmin(
  settings: Record<string, unknown> = {},
  { isReloading = false, env = {}, ...patience }: AdminOptions = {},
): Promise<TestAdmin> {
  const folder = await mkdtemp(join(tmpdir(), 'modelgate-admin-'));
  const file = join(folder, 'modelgate.yaml');
  await writeFile(file, stringify({ data: join(folder, 'data'), ...(await freshStores()), ...settings }));
  const load = (text?: string) => loadConfigFile({ file, text }, env);
  const { config, sections } = load();
  let running = config;
  const stores = await openStores(config, { env, isCalled: () => false, changed: () => undefined });
  const { access, ledger, activity, sessions, alerts } = stores;
  const limits = await openLimits(config, { node: 'admin', log: silent });
  const limitUse = new LimitUse(limits);
  const kept = config.billing === 'off' ? null : ledger;
  const operations = {
    access,
    ledger: kept,
    limits,
    limitUse,
    activity: openActivityReader(activity, Date.now, () => config.activity.days),
    sessions,
    alerts,
    prices: null,
    get config() {
      return running;
    },
    now: Date.now,
    ...(isReloading && { reloader: openReloader({ gateway: gatewayOf(access), load, peek: load, sections, log: silent }) }),
  };
  function gatewayOf(own: Access) {
    return {
      access: own,
      get config() {
        return running;
      },
      async adopt(next: Config) {
        running = next;
      },
    };
  }
  const app = openLazyAdminListener(operations, { log: silent, checkAnswers: true, ...patience });
  const { port } = config.admin;
  await app.listen({ host: '127.0.0.1', port: port === STANDARD_ADMIN_PORT ? 0 : port });
  // A listening TCP server has an address with a port.
  const origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  const { key, id: keyId } = await issueAdminKey('tester', { ...access, now: Date.now });
  return {
    origin,
    folder,
    file,
    config,
    key,
    keyId,
    access,
    ledger,
    limits,
    limitUse,
    activity,
    sessions,
    alerts,
    call: (method, path, body, own = key) => send(`${origin}/admin/v1${path}`, { method, body, key: own }),
    async close() {
      app.server.closeAllConnections();
      await app.close();
      await limits.close();
      await stores.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

interface Order {
  readonly method: string;
  readonly body: unknown;
  readonly key: string | null;
}

async function send(url: string, { method, body, key }: Order): Promise<AdminAnswer> {
  const headers = {
    ...(key !== null && { authorization: `Bearer ${key}` }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
  };
  const answer = await fetch(url, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) });
  // The app has checked it against the contract.
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as ToldBody };
}

/** The error code and the field of a rejected call. */
export const refusalOf = ({ status, body }: AdminAnswer) => {
  const { code, param } = ErrorBody.parse(body).error;
  return { status, code, param };
};

/** Settings with a priced model, a plan and two groups. */
export const governed = {
  upstreams: { demo: { kind: 'simulator' } },
  groups: { vip: { multiplier: '0.5' }, team: { limits: { requestsPerMinute: 600 } } },
  plans: {
    pro: { included: '20', period: 'month', onExhaustion: 'stop' },
    flex: { included: '5', period: 'day', onExhaustion: 'balance', priceList: 'wholesale' },
  },
  priceLists: { wholesale: { play: { input: '1', output: '4' } } },
  limits: { perKey: { requestsPerMinute: 60 } },
  // No server listens at this address.
  alerts: { webhooks: [{ name: 'ops', url: 'http://127.0.0.1:9/alerts', secret: receiverSecret }] },
  models: [
    { id: 'play', kind: 'text', prices: { input: '2', cachedInput: '0.2', output: '8' }, limits: { concurrency: 9 } },
    { id: 'pearl', kind: 'text', prices: { input: '2', output: '8' }, groups: ['vip'] },
    { id: 'draw', kind: 'image', prices: { images: { '1024x1024/high': '0.167', default: '0.25' } } },
    { id: 'gift', kind: 'text', prices: 'free' },
  ],
};
