/** The common parts of every portal operation: its tag, whether it needs a session, and its responses with all errors. */
import type { z } from 'zod';
import { type ErrorResponses, errorResponses } from '../shared/error-bodies.ts';
import { type PortalCode, type PortalOperation, portalErrors } from './errors.ts';

export const portalTags = [
  { name: 'Session', description: 'Sign in, sign out, and get the data of the first page.' },
  { name: 'Usage', description: 'Calls of the account, and what they cost.' },
  { name: 'Keys', description: 'Keys of the account that the key owner can see and manage.' },
  { name: 'Catalog', description: 'Models, with prices and availability for the key.' },
] as const;

export interface PortalMetadata {
  readonly tag: (typeof portalTags)[number]['name'];
  /** Whether it needs no session: the sign-in. */
  readonly isPublic?: true;
  /** The content type of a successful response that isn't JSON. */
  readonly answers?: 'text/csv';
}
export const metadata = <const M extends PortalMetadata>(value: M) => value;

/** Every response of an operation: its success and its errors. */
export function answers<Name extends PortalOperation, Success extends z.ZodType>(operation: Name, success: Success) {
  const errors: ErrorResponses<PortalCode<Name>> = errorResponses(`portal_${operation}`, portalErrors[operation]);
  return { 200: success, ...errors } as const;
}
