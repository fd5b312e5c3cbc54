/** Examples of usage and receipts. */
import type { Receipt, UsageList, UsageRecord } from '../../../contract/usage.ts';
import type { OperationExamples } from './example.ts';

const posted: UsageRecord = {
  object: 'usage',
  request_id: 'req_01k5h2r7c8v9',
  key_id: 'key_13pCGZKg',
  model: 'gpt-5.4',
  operation: 'createResponse',
  state: 'posted',
  outcome: 'completed',
  source: 'balance',
  held: '1.280390',
  charged: '0.004760',
  estimated: false,
  tokens: { input: 100, cached_input: 40, cache_write: 0, output: 300, reasoning: 120 },
  output_limit: null,
  images: {},
  tools: {},
  created_at: 1790000000,
  settled_at: 1790000004,
};

const running: UsageRecord = {
  ...posted,
  request_id: 'req_01k5h2r9d1x4',
  state: 'held',
  outcome: null,
  charged: '0.000000',
  tokens: null,
  output_limit: null,
  images: null,
  tools: null,
  settled_at: null,
};

const page: UsageList = {
  object: 'list',
  data: [running, posted],
  first_id: running.request_id,
  last_id: posted.request_id,
  has_more: false,
};
const nothing: UsageList = { object: 'list', data: [], first_id: null, last_id: null, has_more: false };

export const usageExamples: OperationExamples = {
  answers: {
    page: { summary: 'A request in flight, and one that was charged', value: page },
    nothing: { summary: 'No requests yet, or billing is off', value: nothing },
  },
};

/** Costs 100 × 2.5 + 40 × 0.25 + 300 × 15 dollars, divided by a million. */
const text: Receipt = {
  ...posted,
  price_version: 5,
  service_tier: null,
  attempts: [
    { upstream: 'main', status: 503, code: 'upstream_unavailable', ms: 12, protocol: null },
    { upstream: 'backup', status: 200, code: null, ms: 340, protocol: null },
  ],
  lines: [
    { class: 'input', quantity: 100, price: '2.500000', per: 'million_tokens', amount: '0.000250000000' },
    { class: 'cached_input', quantity: 40, price: '0.250000', per: 'million_tokens', amount: '0.000010000000' },
    { class: 'output', quantity: 300, price: '15.000000', per: 'million_tokens', amount: '0.004500000000' },
  ],
  subtotal: '0.004760000000',
  multiplier: '1.000000',
  rounding: '0.000000000000000000',
  cost: '0.004760',
};

const pictures: Receipt = {
  ...posted,
  request_id: 'req_01k5h2s0f3b7',
  model: 'gpt-image-2',
  operation: 'generateImages',
  held: '0.500000',
  charged: '0.051467',
  tokens: { input: 0, cached_input: 0, cache_write: 0, output: 0, reasoning: 0 },
  images: { '1024x1024/medium': 1 },
  price_version: 7,
  service_tier: null,
  attempts: [],
  lines: [{ class: '1024x1024/medium', quantity: 1, price: '0.063001', per: 'image', amount: '0.063001000000' }],
  subtotal: '0.063001000000',
  multiplier: '0.816910',
  rounding: '0.000000853090000000',
  cost: '0.051467',
};

export const receiptExamples: OperationExamples = {
  answers: {
    text: { summary: 'Text in three token classes', value: text },
    pictures: { summary: "One of two requested images, with a group's multiplier, rounded up", value: pictures },
  },
};
