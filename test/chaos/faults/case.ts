/** A case of the fault matrix: what the vendor does, how it is asked, and which results are right (promises G4, G8, G14). */
import type { ErrorCode } from '../../../contract/errors.ts';
import type { Script } from '../../fakes/script.ts';
import { chat, type Protocol, responses } from '../../harness/protocols.ts';

/** One kind of call: an operation, streamed or not. */
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

/** `whole`: the complete answer. `broken`: a stream that ends with an error. `rejected`: an error with its status. */
export type Answer = 'whole' | 'broken' | 'rejected';

/** The charge of a whole or a broken answer. A rejected one is always voided. */
export type Bill =
  /** The usage of the fake: 11 input tokens, 3 of them cached, and 7 output tokens. */
  | 'reported'
  /** Marked as estimated, and more than zero. */
  | 'estimated'
  /** The whole hold, and not more: the operator bears the rest. */
  | 'all that was held'
  /** One of these, depending on what came before it broke. */
  | 'any';

/** An upstream with one timeout of a second: for the headers, or for the first event. `patient` has none. */
type Spoken = 'patient' | 'hasty-for-headers' | 'hasty-for-events';

export interface Case {
  readonly title: string;
  readonly door: Door;
  /** `nowhere` refuses connections; `hole` accepts them and never answers. */
  readonly upstream: Spoken | 'nowhere' | 'hole';
  readonly script: Script;
  /** Called when the caller has the start of the answer. */
  readonly whenBegun?: () => void;
  /** The answers that are right here, usually one. */
  readonly answers: readonly Answer[];
  /** The error code of an answer that is not whole. */
  readonly code: ErrorCode;
  readonly bill: Bill;
  /** Whether the receipt is checked too. */
  readonly hasReceipt: boolean;
}

type Few = Pick<Case, 'title' | 'door' | 'script' | 'answers'> & Partial<Case>;

export const caseOf = (few: Few): Case => ({ upstream: 'patient', code: 'upstream_error', bill: 'any', hasReceipt: true, ...few });
