/** Every error that the contract names for an operation can be provoked there, with its status and its body. */
import { afterAll } from 'vitest';
import type { ErrorCode } from '../../../contract/errors.ts';
import { contract } from '../../../contract/index.ts';
import { type OperationName, operationErrors } from '../../../contract/operation-errors.ts';
import { mistakes } from './mistakes.ts';
import { testErrors } from './provoke.ts';
import { ask, Stage } from './stage.ts';
import { type Provoke, saidByVendor, states } from './states.ts';

const stage = new Stage();
afterAll(() => stage.close());

/** By a mistake of the caller, by a state of the gateway, or by an error of a provider. */
function findProvocation(operation: OperationName, code: ErrorCode): Provoke {
  const change = mistakes[code]?.[operation];
  if (change) return async () => ask(await stage.plain(), operation, change);
  return states[code] ?? saidByVendor(code);
}

testErrors('a caller of', { contract, errors: operationErrors }, async (operation, code) => [
  { provoke: () => findProvocation(operation, code)(stage, operation) },
]);
