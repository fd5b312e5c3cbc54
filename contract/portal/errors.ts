/** The error codes that each operation of the portal API can return. */
import type { AdminCode } from '../admin/errors.ts';
import type { ErrorCode } from '../errors.ts';

/** Every operation can return these. `permission_denied`: the key can't be used from this address, or another page sent the call. */
const commonCodes = [
  ...(['malformed_request', 'request_timeout', 'upgrade_required', 'headers_too_large', 'internal_error', 'overloaded'] as const),
  ...(['invalid_api_key', 'permission_denied', 'unknown_parameter'] as const),
] as const;

/** For operations with a body, even if they don't need one. With a cookie, another content type returns `permission_denied`. */
const sentCodes = [...commonCodes, 'invalid_json', 'invalid_value', 'request_too_large'] as const;

/** For operations with filters or pages. */
const pageCodes = [
  'invalid_type',
  'invalid_value',
  'integer_below_min_value',
  'integer_above_max_value',
  'empty_string',
  'string_above_max_length',
] as const;
const pathCodes = ['string_above_max_length', 'invalid_value', 'not_found'] as const;

/** Error codes by operation name. */
export const portalErrors = {
  createSession: [
    ...sentCodes,
    ...([
      'unsupported_media_type',
      'missing_required_parameter',
      'invalid_type',
      'string_above_max_length',
      'empty_string',
      'rate_limit_exceeded',
    ] as const),
  ],
  getSession: commonCodes,
  endSession: sentCodes,
  getActivity: [...commonCodes, ...pageCodes],
  listRequests: [...commonCodes, ...pageCodes],
  exportRequests: [...commonCodes, ...pageCodes],
  listEntries: [...commonCodes, 'invalid_type', 'invalid_value', 'integer_below_min_value', 'integer_above_max_value'],
  exportEntries: [...commonCodes, 'invalid_value'],
  getRequest: [...commonCodes, ...pathCodes],
  listKeys: [...commonCodes, ...pageCodes],
  createKey: [
    ...sentCodes,
    ...(['missing_required_parameter', 'invalid_type', 'integer_below_min_value', 'integer_above_max_value'] as const),
    ...(['string_above_max_length', 'empty_string', 'array_above_max_length', 'empty_array', 'conflict'] as const),
  ],
  rotateKey: [
    ...sentCodes,
    ...pathCodes,
    ...(['missing_required_parameter', 'invalid_type', 'integer_below_min_value', 'integer_above_max_value', 'conflict'] as const),
  ],
  revokeKey: [...sentCodes, ...pathCodes],
  listModels: commonCodes,
  estimateCost: [...sentCodes, 'missing_required_parameter', 'invalid_type'],
} as const satisfies Record<string, readonly ErrorCode[]>;

export type PortalOperation = keyof typeof portalErrors;
export type PortalCode<Name extends PortalOperation> = (typeof portalErrors)[Name][number];
export type AnyPortalCode = PortalCode<PortalOperation>;

/** The codes that a sign-in can return, in both the console and the portal. */
export type SignInCode = AdminCode<'createSession'> & PortalCode<'createSession'>;
/** The codes that a changing call with a cookie can return, in both the console and the portal. */
export type CookieCode = AdminCode<'endSession'> & PortalCode<'endSession'>;
