/** What every operation of the portal has: its tag, whether it needs a session, and its answers with all errors. */
import type { z } from 'zod';
import { type ErrorResponses, errorResponses } from '../shared/error-bodies.ts';
import { type PortalCode, type PortalOperation, portalErrors } from './errors.ts';

export const portalTags = [
  { name: 'Session', description: 'Signing in and out, and what the first page shows.' },
  { name: 'Usage', description: 'What the account has called, and what it cost.' },
  { name: 'Keys', description: 'Keys that the holder may see, and those that he makes.' },
  { name: 'Catalog', description: 'Models, as the key may call them.' },
] as const;

export interface PortalMetadata {
  readonly tag: (typeof portalTags)[number]['name'];
  /** Whether it needs no session: the sign-in. */
  readonly isPublic?: true;
  /** The type of a good answer that is not JSON. */
  readonly answers?: 'text/csv';
}
export const metadata = <const M extends PortalMetadata>(value: M) => value;

/** Every answer of an operation: its success, and its errors. */
export function answers<Name extends PortalOperation, Success extends z.ZodType>(operation: Name, success: Success) {
  const errors: ErrorResponses<PortalCode<Name>> = errorResponses(`portal_${operation}`, portalErrors[operation]);
  return { 200: success, ...errors } as const;
}
