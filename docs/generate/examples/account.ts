/** Examples for the operations that read the caller's account. */
import type { OwnAccount, OwnKey, Statement, StatementLine, UsageSummary } from '../../../contract/account.ts';
import type { OperationExamples } from './example.ts';

const account: OwnAccount = {
  object: 'account',
  id: 'acct_0aB3dE5gH7jK9mN1p',
  name: 'research',
  group: 'vip',
  state: 'active',
  balance: { balance: '24.490000', held: '0.180000', available: '24.310000' },
  subscription: null,
  spending_caps: [],
  limits: [{ scope: 'account', quantity: 'requests', limit: 600, mode: 'enforce', remaining: 597, reset_ms: 300 }],
  created_at: 1790000000,
};
const free: OwnAccount = { ...account, balance: null, limits: [] };

const key: OwnKey = {
  object: 'key',
  id: 'key_0aB3dE5gH7jK9mN1p',
  name: 'build server',
  last_four: 'Zt4Q',
  account_id: account.id,
  state: 'active',
  permissions: { operations: null, models: ['gpt-5*'], may_store: true, manage_keys: false },
  ip_ranges: null,
  spending_caps: [{ scope: 'key', amount: '20.000000', period: 'month', left: '6.000000', resets_at: 1790812800 }],
  limits: [{ scope: 'key', quantity: 'requests', limit: 60, mode: 'enforce', remaining: 57, reset_ms: 3000 }],
  created_at: 1790000000,
  expires_at: 1797776000,
  replaced_by: null,
};

const sums = {
  requests: 12,
  errors: 0,
  rejected: 1,
  tokens: { input: 8120, cached_input: 700, cache_write: 0, output: 3110 },
  images: 0,
  charged: '0.041338',
};
const summary: UsageSummary = {
  object: 'usage_summary',
  from: 1789948800,
  to: 1790035200,
  bucket: 'day',
  complete_until: 1790003598,
  data: [{ at: 1789948800, model: 'gpt-5.4', key_id: null, is_other: false, ...sums }],
  total: sums,
};

const charge: StatementLine = {
  id: 'req_01k5h2r7c8v9',
  kind: 'charge',
  amount: '-0.004760',
  source: 'balance',
  model: 'gpt-5.4',
  key_id: key.id,
  at: 1790000004,
};
const payment: StatementLine = {
  id: 'invoice-2026-09',
  kind: 'top_up',
  amount: '25.000000',
  source: 'balance',
  model: null,
  key_id: null,
  at: 1790000000,
};
const statement: Statement = { object: 'list', data: [charge, payment], first_id: charge.id, last_id: payment.id, has_more: false };

export const accountExamples: OperationExamples = {
  answers: {
    paid: { summary: 'An account with a balance', value: account },
    free: { summary: 'Billing is off', value: free },
  },
};
export const keyExamples: OperationExamples = { answers: { key: { summary: 'A key with a spending cap', value: key } } };
export const summaryExamples: OperationExamples = { answers: { byModel: { summary: 'One day, by model', value: summary } } };
export const statementExamples: OperationExamples = { answers: { page: { summary: 'A charge and a payment', value: statement } } };
