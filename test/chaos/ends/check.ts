/** Compares the outcome of a case with the expected one. */

import { formatDollars } from '../../../server/money/dollars.ts';
import type { ChargeRecord } from '../../../server/money/store.ts';
import type { Case } from './case.ts';
import { type Estimated, tokenCost } from './expected.ts';
import type { Outcome } from './stage.ts';

/** Null if all is right, else what is wrong. */
export function faultOf(one: Case, outcome: Outcome, charge: ChargeRecord | undefined): string | null {
  const expected = typeof one.expected === 'function' ? one.expected(outcome.status ?? 0) : one.expected;
  const fault = (what: string): string => `${one.name} (${one.path}, status ${outcome.status}): ${what}: ${shown(charge)}`;
  if (charge?.state === 'held') return fault('still held');
  if (outcome.cost !== null && outcome.cost !== formatDollars(charge?.charged ?? -1n)) return fault(`the answer says ${outcome.cost}`);
  switch (expected.kind) {
    case 'ended':
      return null;
    case 'nothing':
      return charge ? fault('no charge was expected') : null;
    case 'voided':
      return charge?.state === 'voided' && charge.charged === 0n ? null : fault('it should cost nothing');
    case 'overrun':
      return charge?.state === 'posted' && charge.charged === charge.held && charge.overrun > 0n
        ? null
        : fault('it should cost what was held');
    case 'exact': {
      const isRight = charge?.state === 'posted' && charge.charged === expected.cost && !charge.isEstimated && charge.overrun === 0n;
      return isRight && includes(charge.metered, expected.metered)
        ? null
        : fault(`it should cost ${expected.cost} for ${shown(expected.metered)}`);
    }
    case 'estimated': {
      const found = estimateFault(expected, charge);
      return found === null ? null : fault(found);
    }
  }
}

function estimateFault(expected: Estimated, charge: ChargeRecord | undefined): string | null {
  const { output, input, cost, mayBeVoid, mayBeReported } = expected;
  if (mayBeVoid && charge?.state === 'voided') return null;
  if (charge?.state !== 'posted' || !charge.metered) return 'it should be posted';
  const { metered } = charge;
  if (!charge.isEstimated && !mayBeReported) return 'it should be marked as estimated';
  if (metered.output < output[0] || metered.output > output[1]) return `its output should be from ${output[0]} to ${output[1]} tokens`;
  if (input === undefined ? metered.input < 5 || metered.input > 200 : metered.input !== input)
    return `its input should be ${input ?? 'that of the request'}`;
  const due = cost ?? tokenCost(metered);
  return charge.charged === due ? null : `it should cost ${due}`;
}

const shown = (value: unknown): string => JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? `${each}` : each)) ?? 'no charge';

function includes(metered: object | null, wanted: object): boolean {
  const found = new Map(Object.entries(metered ?? {}));
  return Object.entries(wanted).every(([name, value]) => shown(found.get(name)) === shown(value));
}
