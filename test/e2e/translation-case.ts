/** The cases of the translation matrix, `translation.jsonl`: a feature as a request in both protocols, and what each kind of upstream must receive. */
import { readRows } from '../fixtures/rows.ts';
import type { Caller, Kind, Reply } from '../harness/pairs.ts';
import type { Fields } from './translation-callers.ts';

/** The fields that an upstream receives, `rejected <param>`, or `omitted <field>`. */
export type Outcome = Fields | string;

export interface Case {
  /** Its name in the table of the docs. */
  readonly title: string;
  /** Numbers of known failures. */
  readonly failures?: string;
  /** The fields beside `model`, `stream`, and the default question. A protocol that lacks the feature is omitted. */
  readonly ask: Readonly<Partial<Record<Caller, Fields>>>;
  /** By default `Hello.` */
  readonly reply?: Reply;
  /** By default a call is served. The bytes sent are recorded in other fixtures, except for Converse, which has them here. */
  readonly sent?: Readonly<Partial<Record<Kind, Outcome | { readonly callers: Readonly<Partial<Record<Caller, Outcome>>> }>>>;
  /** Set where it works in another way than by a field of the upstream. */
  readonly how?: Readonly<Partial<Record<Kind, string>>>;
  /** What a responses caller adds to the first output for a second request. `sent` is then about the second one. */
  readonly sequel?: { readonly add: readonly Fields[]; readonly reply: Reply };
}

const question = [{ role: 'user', content: 'Hello' }];

export const cases: readonly Case[] = readRows<Case>('translation').map(({ ask: { chat, responses }, ...row }) => ({
  ...row,
  ask: { ...(chat && { chat: { messages: question, ...chat } }), ...(responses && { responses: { input: question, ...responses } }) },
}));
