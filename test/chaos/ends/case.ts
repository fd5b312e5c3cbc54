/** One case of the mixed ends: the request, what the vendor does, when the caller leaves, and the expected charge. */
import type { FakeRequest } from '../../fakes/exchange.ts';
import type { Script } from '../../fakes/script.ts';
import { type Door, doors } from './doors.ts';
import { type Expected, type Tokens, tokenCost } from './expected.ts';

export interface Case {
  readonly name: string;
  readonly path: string;
  readonly body: unknown;
  /** The key; if left out, that of the account with a balance. */
  readonly by?: 'poor' | 'limited';
  /** Left out if no vendor should be asked. */
  readonly vendor?: (request: FakeRequest) => Script;
  readonly leave?: Leaving;
  /** By status if several are possible, else for any status. */
  readonly expected: Expected | ((status: number) => Expected);
}

/** When the caller hangs up. */
export type Leaving =
  | { readonly when: 'at once' }
  /** When the vendor has the request. */
  | { readonly when: 'asked' }
  /** When this has come. */
  | { readonly when: 'read'; readonly text: string };

/** Numbers that look random and are the same in every run. */
export interface Dice {
  /** From 0 up to below `most`. */
  roll(most: number): number;
  pick<T>(list: readonly T[]): T;
}

export function openDice(seed: number): Dice {
  let state = seed;
  const roll = (most: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * most);
  };
  return {
    roll,
    pick(list) {
      const [found] = list.slice(roll(list.length));
      // `as`: no list is empty.
      return found as (typeof list)[number];
    },
  };
}

const words = [
  'the ',
  'river ',
  'carries ',
  'stones ',
  'down ',
  'from ',
  'far ',
  'hills ',
  'and ',
  'nobody ',
  'counts ',
  'them ',
  'Grüße ',
  '3 < 5 ',
];

/** What all cases of one number share. */
export interface Draw extends Dice {
  readonly door: Door;
  /** Names the case for the fake vendor. */
  readonly prompt: string;
  readonly pieces: readonly string[];
  /** The last piece, found nowhere else. */
  readonly last: string;
  readonly tokens: Tokens;
  readonly isStream: boolean;
}

export function draw(dice: Dice, number: number): Draw {
  const { roll, pick } = dice;
  const last = `end-${number}.`;
  const text = () => Array.from({ length: 2 + roll(12) }, () => pick(words));
  const tokens = { input: 1 + roll(3_000), cachedInput: roll(500), cacheWrite: roll(3) === 0 ? roll(200) : 0, output: 1 + roll(900) };
  return {
    ...dice,
    door: pick([doors.chat, doors.responses]),
    prompt: `case-${number}; ${text().join('')}`,
    pieces: [...text(), last],
    last,
    tokens: { ...tokens, reasoning: roll(tokens.output + 1) },
    isStream: roll(2) === 0,
  };
}

export const exact = (tokens: Tokens): Expected => {
  const { input, cachedInput = 0, cacheWrite = 0, output, reasoning = 0, tools } = tokens;
  const metered = { input, cachedInput, cacheWrite, output, reasoning, images: {}, ...(tools && { tools }) };
  return { kind: 'exact', cost: tokenCost(tokens), metered };
};
export const voided: Expected = { kind: 'voided' };
export const nothing: Expected = { kind: 'nothing' };

/** The models of the gateway: `hasty` has a place that is given up on quickly, `halting` one that may take its time to begin, and none to go on. */
export const models = { text: 'gpt-5.4', hasty: 'gpt-hasty', halting: 'gpt-halting', claude: 'claude-fake', picture: 'gpt-image-2' };
