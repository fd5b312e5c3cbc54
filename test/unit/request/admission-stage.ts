/** Opens a gateway for admission, with a ledger and with limits on a clock of the test. */
import { expect } from 'vitest';
import type { Evidence } from '../../../server/billing/metering.ts';
import type { Config } from '../../../server/config/config.ts';
import type { Gateway } from '../../../server/gateway.ts';
import type { Bounds } from '../../../server/ledger/charge.ts';
import type { Estimator } from '../../../server/ledger/estimator.ts';
import type { Limit, LimitStore, Quantity } from '../../../server/limits/limiter.ts';
import { openMemoryLimits } from '../../../server/limits/memory.ts';
import { type Grant, type GrantOrder, openGrant } from '../../../server/request/admission.ts';
import type { RequestContext } from '../../../server/request/context.ts';
import { toldBy } from '../limits/limit.ts';
import { configOf, openLines } from '../settings.ts';
import { openTill, type Till } from '../till.ts';
import { openCall, principalOf } from './one-call.ts';

export const prices = { input: '1', output: '10' };
export const bounds: Bounds = { inputTokens: 100, outputTokens: 10, images: 0, imageKind: 'auto/auto' };
/** The hold at these prices and bounds: 100 × 1 + 10 × 10 micro-dollars. */
export const most = 200n;

interface Order {
  readonly settings?: Record<string, unknown>;
  readonly balance?: bigint;
  readonly billing?: boolean;
  readonly store?: (memory: LimitStore) => Partial<LimitStore>;
  readonly estimator?: Estimator;
}

/** Counts each word as a token. */
export const counting: Estimator = {
  count: async (texts) => texts.map((text) => text.split(/\s+/).filter(Boolean).length),
  close: async () => undefined,
};

export async function openStage({ settings = {}, balance, billing = true, store = () => ({}), estimator = counting }: Order = {}) {
  const config = configOf({ upstreams: { main: { kind: 'simulator' } }, models: [{ id: 'm', kind: 'text', prices }], ...settings });
  const till = billing ? await openTill(config, balance) : null;
  let now = 1_000_000;
  const memory = openMemoryLimits(() => now);
  const { log, lines } = openLines();
  // The fields of a gateway that admission uses.
  const gateway = {
    config,
    money: till?.money ?? null,
    estimator,
    log,
    limits: { ...toldBy(memory), ...store(memory) },
  } as unknown as Gateway;
  const pass = (ms: number): void => {
    now += ms;
  };
  return {
    gateway,
    memory,
    lines,
    pass,
    config,
    get till(): Till {
      return till ?? expect.fail('no money here');
    },
  };
}

let calls = 0;
export const callOf = (changes: Parameters<typeof principalOf>[0] = {}) =>
  openCall({ id: `req_${++calls}`, principal: principalOf(changes) });
const orderFor = (config: Config, changes: Partial<GrantOrder> = {}): GrantOrder => {
  const model = config.models[0] ?? expect.fail('no model');
  return { model, operation: 'createChatCompletion', bounds: () => bounds, tokens: () => 100, ...changes };
};

export const evidence = (input: number, output: number): Evidence => ({
  usage: { input, cached: 0, output, reasoning: 0 },
  produced: null,
  pictures: null,
  tools: {},
  request: {},
});

export const limitOf = (quantity: Quantity, count: number, more: Partial<Limit> = {}): Limit => ({
  scope: 'key',
  subject: 'key_1',
  quantity,
  most: count,
  mode: 'enforce',
  ...more,
});

export const stateOf = async ({ till }: { readonly till: Till }, { id }: RequestContext) => {
  const charge = await till.ledger.findCharge(id);
  return charge && { state: charge.state, outcome: charge.outcome, charged: charge.charged };
};
export const heldOf = async ({ till }: { readonly till: Till }) => (await till.ledger.balance('ada'))?.held;
export const open = async (
  stage: { readonly gateway: Gateway; readonly config: Config },
  call: RequestContext,
  changes: Partial<GrantOrder> = {},
): Promise<Grant> => await openGrant(stage.gateway, call, orderFor(stage.config, changes));
