/** Records of ended calls, in the form that the request log stores. */
import { type CallRecord, type LogRow, toRow } from '../../server/records/call-record.ts';

/** The record of a rejected call, with `changes` applied. */
export const rejectedCall = (requestId: string, changes: Partial<CallRecord> = {}): CallRecord => ({
  request_id: requestId,
  ended_at: 1_000,
  account_id: 'ada',
  key_id: 'key_1',
  model: 'play',
  operation: 'createResponse',
  upstream: null,
  session: null,
  end_user: null,
  tag: null,
  status: 429,
  code: 'rate_limit_exceeded',
  outcome: 'rejected',
  is_stream: 0,
  attempts: 0,
  first_ms: null,
  total_ms: 1,
  input: 0,
  cached_input: 0,
  cache_write: 0,
  output: 0,
  images: 0,
  charged: null,
  missed: null,
  vendor_cost: null,
  details: { param: null, message: 'No.' },
  ...changes,
});

/** The record of a paid call. */
export const paidCall = (requestId: string, changes: Partial<CallRecord> = {}): CallRecord =>
  rejectedCall(requestId, {
    upstream: 'east',
    status: 200,
    code: null,
    outcome: 'completed',
    is_stream: 1,
    attempts: 1,
    first_ms: 300,
    total_ms: 2_000,
    input: 100,
    cached_input: 20,
    output: 40,
    charged: 1_500,
    details: {},
    ...changes,
  });

export const rowsOf = (...records: readonly CallRecord[]): LogRow[] => records.map((record) => toRow(record));
