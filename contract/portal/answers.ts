/** The common parts of portal operations: the tag, whether a session is required, and the responses. */
import type { z } from 'zod';
import { createErrorResponses, type ErrorResponses } from '../shared/error-bodies.ts';
import { type PortalCode, type PortalOperation, portalErrors } from './errors.ts';

export const portalTags = [
  { name: 'Session', description: 'Sign in, sign out, and get the data of the first page.' },
  { name: 'Usage', description: 'Calls of the account, and their costs.' },
  { name: 'Keys', description: 'Keys of the account that the key owner can see and manage.' },
  { name: 'Catalog', description: 'Models, with prices and availability for the key.' },
] as const;

export interface PortalMetadata {
  readonly tag: (typeof portalTags)[number]['name'];
  /** Whether the operation needs no session. Only the sign-in is public. */
  readonly isPublic?: true;
  /** Content type of a successful response. Defaults to JSON. */
  readonly answers?: 'text/csv';
}
export const defineMetadata = <const M extends PortalMetadata>(value: M) => value;

/** Returns the success and error responses of an operation. */
export function createResponses<Name extends PortalOperation, Success extends z.ZodType>(operation: Name, success: Success) {
  const errors: ErrorResponses<PortalCode<Name>> = createErrorResponses(`portal_${operation}`, portalErrors[operation]);
  return { 200: success, ...errors } as const;
}
