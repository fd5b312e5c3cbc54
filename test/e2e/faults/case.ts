/** What a vendor does wrong in one case, who asks for it, and what may become of it (promises G4, G8, G14). */
import type { ErrorCode } from '../../../contract/errors.ts';
import type { Script } from '../../fakes/script.ts';
import { chat, type Protocol, responses } from '../../harness/protocols.ts';

/** One way to ask: an operation, whole or streamed. */
export interface Door {
  readonly name: string;
  readonly protocol: Protocol;
  readonly isStream: boolean;
}

export const doors: readonly Door[] = [chat, responses].flatMap((protocol) => [
  { name: protocol.name, protocol, isStream: false },
  { name: `${protocol.name} stream`, protocol, isStream: true },
]);
export const streamDoors = doors.filter(({ isStream }) => isStream);

/** `whole`: all of it, with its good end. `broken`: a stream that ends in an error. `refused`: nothing but an error with its status. */
export type Answer = 'whole' | 'broken' | 'refused';

/** What the ledger has to say of a whole or a broken answer; a refused one is voided, always. */
export type Bill =
  /** What the fake reports: 11 tokens in, 3 of them cached, and 7 out. */
  | 'reported'
  /** Marked so, and more than nothing. */
  | 'estimated'
  /** Charged what was held, not more: the rest is the operator's. */
  | 'all that was held'
  /** One of these, by what came when it broke. */
  | 'any';

/** A hasty one waits a second, and for one thing alone: the headers, the first event, or more of what has begun. All others are patient. */
export type Spoken = 'patient' | 'hasty-for-headers' | 'hasty-for-events' | 'hasty-for-more';

export interface Case {
  readonly title: string;
  readonly door: Door;
  /** `nowhere` refuses connections; `hole` takes them and says nothing. */
  readonly upstream: Spoken | 'nowhere' | 'hole';
  readonly script: Script;
  /** Called when the caller has the beginning of the answer. */
  readonly whenBegun?: () => void;
  /** Those that are honest here; mostly one. */
  readonly answers: readonly Answer[];
  /** Of an answer that is not whole. */
  readonly code: ErrorCode;
  readonly bill: Bill;
  /** Whether the receipt is fetched, too. */
  readonly hasReceipt: boolean;
}

type Few = Pick<Case, 'title' | 'door' | 'script' | 'answers'> & Partial<Case>;

export const caseOf = (few: Few): Case => ({ upstream: 'patient', code: 'upstream_error', bill: 'any', hasReceipt: true, ...few });
