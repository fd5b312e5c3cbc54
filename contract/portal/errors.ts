/** Which codes of the error table each operation of the portal API can return. */
import type { AdminCode } from '../admin/errors.ts';
import type { ErrorCode } from '../errors.ts';

/** Possible for every operation. `permission_denied`: the key can't be used from this address, or the call comes from another page. */
const always = [
  ...(['malformed_request', 'request_timeout', 'upgrade_required', 'headers_too_large', 'internal_error', 'overloaded'] as const),
  ...(['invalid_api_key', 'permission_denied', 'unknown_parameter'] as const),
] as const;

/** Errors of a body, also for operations that need none. With a cookie, a body of another type is `permission_denied`. */
const sent = [...always, 'invalid_json', 'invalid_value', 'request_too_large'] as const;

/** Errors of filters and pages. */
const page = [
  'invalid_type',
  'invalid_value',
  'integer_below_min_value',
  'integer_above_max_value',
  'empty_string',
  'string_above_max_length',
] as const;
const path = ['string_above_max_length', 'invalid_value', 'not_found'] as const;

/** By the name of the operation in the contract. */
export const portalErrors = {
  createSession: [
    ...sent,
    ...([
      'unsupported_media_type',
      'missing_required_parameter',
      'invalid_type',
      'string_above_max_length',
      'empty_string',
      'rate_limit_exceeded',
    ] as const),
  ],
  getSession: always,
  endSession: sent,
  getActivity: [...always, ...page],
  listRequests: [...always, ...page],
  exportRequests: [...always, ...page],
  listEntries: [...always, 'invalid_type', 'invalid_value', 'integer_below_min_value', 'integer_above_max_value'],
  exportEntries: [...always, 'invalid_value'],
  getRequest: [...always, ...path],
  listKeys: [...always, ...page],
  createKey: [
    ...sent,
    ...(['missing_required_parameter', 'invalid_type', 'integer_below_min_value', 'integer_above_max_value'] as const),
    ...(['string_above_max_length', 'empty_string', 'array_above_max_length', 'empty_array', 'conflict'] as const),
  ],
  rotateKey: [
    ...sent,
    ...path,
    ...(['missing_required_parameter', 'invalid_type', 'integer_below_min_value', 'integer_above_max_value', 'conflict'] as const),
  ],
  revokeKey: [...sent, ...path],
  listModels: always,
  estimateCost: [...sent, 'missing_required_parameter', 'invalid_type'],
} as const satisfies Record<string, readonly ErrorCode[]>;

export type PortalOperation = keyof typeof portalErrors;
export type PortalCode<Name extends PortalOperation> = (typeof portalErrors)[Name][number];
/** What any operation of the portal can return. */
export type AnyPortalCode = PortalCode<PortalOperation>;

/** What a sign-in can return, in the console and in the portal. */
export type SignInCode = AdminCode<'createSession'> & PortalCode<'createSession'>;
/** What a call with a cookie that changes something can return, in both. */
export type CookieCode = AdminCode<'endSession'> & PortalCode<'endSession'>;
