/** A case of the translation matrix: one feature as a request in both protocols, and what each kind of upstream must receive. */
import { type Caller, type Kind, kinds, type Reply } from '../harness/pairs.ts';
import type { Fields, Got } from './translation-callers.ts';

/** The body that an upstream receives, or that the call is rejected, or that the field is left out. */
export type Sent =
  | { readonly kind: 'body'; readonly body: Fields }
  | { readonly kind: 'rejected'; readonly param: string; readonly code: 'unsupported_parameter' | 'invalid_value' }
  | { readonly kind: 'dropped'; readonly field: string };

export interface Case {
  /** Its name in the table of the docs. */
  readonly feature: string;
  /** Numbers of known failures. */
  readonly rows?: string;
  /** The fields beside `model` and `stream`. A protocol that lacks the feature is left out. */
  readonly ask: Readonly<Partial<Record<Caller, Fields>>>;
  /** By default `Hello.` */
  readonly reply?: Reply;
  /** What an upstream of another protocol receives. A kind that cannot give such an answer is left out. */
  readonly sent: Readonly<Partial<Record<Kind, Sent | Readonly<Partial<Record<Caller, Sent>>>>>>;
  /** Set where it works in another way than by a field of the upstream. */
  readonly how?: Readonly<Partial<Record<Kind, string>>>;
  /** Set where the answer differs from the reply. */
  readonly got?: Partial<Got>;
  /** What a responses caller adds to the first output for a second request. `sent` is then about the second one. */
  readonly sequel?: { readonly add: readonly Fields[]; readonly reply: Reply };
}

export const body = (fields: Fields): Sent => ({ kind: 'body', body: fields });
export const dropped = (field: string): Sent => ({ kind: 'dropped', field });
export const rejected = (param: string, code: 'unsupported_parameter' | 'invalid_value' = 'unsupported_parameter'): Sent => ({
  kind: 'rejected',
  param,
  code,
});

/**
 * Served over every kind of upstream, but where `more` says otherwise. The bytes that go out are recorded in `test/fixtures`, but for
 * Converse, which has them here.
 */
export const served = (converse: Fields, more: Case['sent'] = {}): Case['sent'] => ({
  ...Object.fromEntries(kinds.map((kind) => [kind, body(kind === 'converse' ? converse : {})])),
  ...more,
});

/** The same question in both protocols, with more fields. */
export const asking = (chat: Fields | null, responses: Fields | null): Case['ask'] => ({
  ...(chat && { chat: { messages: [{ role: 'user', content: 'Hello' }], ...chat } }),
  ...(responses && { responses: { input: [{ role: 'user', content: 'Hello' }], ...responses } }),
});

/** A message of the user with a part beside its text. */
export const showing = (chat: Fields | null, responses: Fields | null): Case['ask'] => ({
  ...(chat && { chat: { messages: [{ role: 'user', content: [{ type: 'text', text: 'Look.' }, chat] }] } }),
  ...(responses && { responses: { input: [{ role: 'user', content: [{ type: 'input_text', text: 'Look.' }, responses] }] } }),
});

/** A refusal whose param begins with the name of the caller's list. */
export const rejectedAt = (rest: string): Readonly<Record<Caller, Sent>> => ({
  chat: rejected(`messages${rest}`),
  responses: rejected(`input${rest}`),
});
