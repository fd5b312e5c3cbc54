/** What a case of the translation matrix is: one feature, asked in both protocols, and what each kind of upstream has to receive of it. */
import type { Caller, Kind, Reply } from '../harness/pairs.ts';
import type { Fields, Got } from './translation-callers.ts';

/** What an upstream receives, or that the call is refused, or that the field is left out on the way. */
export type Sent =
  | { readonly kind: 'body'; readonly body: Fields }
  | { readonly kind: 'refused'; readonly param: string; readonly code: 'unsupported_parameter' | 'invalid_value' }
  | { readonly kind: 'dropped'; readonly field: string };

export interface Case {
  /** As the table of the docs names it. */
  readonly feature: string;
  /** Rows of the list of known failures. */
  readonly rows?: string;
  /** The fields beside `model` and `stream`; a caller whose protocol has no such thing is left out. */
  readonly ask: Readonly<Partial<Record<Caller, Fields>>>;
  /** `Hello.` where left out. */
  readonly reply?: Reply;
  /** What an unlike upstream is asked; a kind that cannot give such an answer is left out. */
  readonly sent: Readonly<Partial<Record<Kind, Sent | Readonly<Partial<Record<Caller, Sent>>>>>>;
  /** Where it works in another way than by a field of the upstream. */
  readonly how?: Readonly<Partial<Record<Kind, string>>>;
  /** Where the answer is not simply the reply. */
  readonly got?: Partial<Got>;
  /** What a responses caller adds to the output of the first answer for a second request, which is what counts then. */
  readonly sequel?: { readonly add: readonly Fields[]; readonly reply: Reply };
}

export const body = (fields: Fields): Sent => ({ kind: 'body', body: fields });
export const dropped = (field: string): Sent => ({ kind: 'dropped', field });
export const refused = (param: string, code: 'unsupported_parameter' | 'invalid_value' = 'unsupported_parameter'): Sent => ({
  kind: 'refused',
  param,
  code,
});

/** The same plain question in both protocols, with more fields. */
export const asking = (chat: Fields | null, responses: Fields | null): Case['ask'] => ({
  ...(chat && { chat: { messages: [{ role: 'user', content: 'Hello' }], ...chat } }),
  ...(responses && { responses: { input: [{ role: 'user', content: 'Hello' }], ...responses } }),
});

/** A message of the user with a part beside its text. */
export const showing = (chat: Fields | null, responses: Fields | null): Case['ask'] => ({
  ...(chat && { chat: { messages: [{ role: 'user', content: [{ type: 'text', text: 'Look.' }, chat] }] } }),
  ...(responses && { responses: { input: [{ role: 'user', content: [{ type: 'input_text', text: 'Look.' }, responses] }] } }),
});

/** What holds for every upstream: the caller's words for the place differ. */
export const refusedAt = (rest: string): Readonly<Record<Caller, Sent>> => ({
  chat: refused(`messages${rest}`),
  responses: refused(`input${rest}`),
});
