/** Every error that the contract names for an operation can be provoked there, with its status and its body. */
import { afterAll, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { type ErrorCode, errorTable } from '../../../contract/errors.ts';
import { contract } from '../../../contract/index.ts';
import { type OperationName, operationErrors } from '../../../contract/operation-errors.ts';
import type { RawAnswer } from '../../harness/raw.ts';
import { mistakes } from './mistakes.ts';
import { ask, Stage } from './stage.ts';
import { type Provoke, saidByVendor, states } from './states.ts';

const stage = new Stage();
afterAll(() => stage.close());

/** By a mistake of the caller, by a state of the gateway, or by an answer of a vendor. */
function provocationOf(operation: OperationName, code: ErrorCode): Provoke {
  const change = mistakes[code]?.[operation];
  if (change) return async () => ask(await stage.plain(), operation, change);
  return states[code] ?? saidByVendor(code);
}

async function provoke(operation: OperationName, code: ErrorCode): Promise<Response | RawAnswer> {
  return provocationOf(operation, code)(stage, operation);
}

// The keys of an object are those of its type.
const operations = (Object.keys(operationErrors) as OperationName[]).map((operation) => ({
  operation,
  codes: [...new Set(operationErrors[operation])],
}));

describe.each(operations)('a caller of $operation', ({ operation, codes }) => {
  test.each(codes)('gets %s', async (code) => {
    const answer = await provoke(operation, code);
    const text = typeof answer.body === 'string' ? answer.body : await (answer as Response).text();
    const said: unknown = JSON.parse(text);
    expect({ status: answer.status, said }).toMatchObject({ status: errorTable[code].status, said: { error: { code } } });
    // The responses of a route are a literal table; a status that came over the wire is a plain number.
    const schema = (contract[operation].responses as unknown as Record<number, z.ZodType>)[answer.status];
    expect(schema?.safeParse(said).error ?? null).toBeNull();
  });
});
