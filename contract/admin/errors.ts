/** The error codes that each operation of the admin API can return. */
import type { ErrorCode } from '../errors.ts';

/** Every operation can return these. All of them reject unknown query parameters. */
const commonCodes = [
  ...(['malformed_request', 'request_timeout', 'headers_too_large', 'internal_error', 'overloaded'] as const),
  ...(['invalid_api_key', 'unknown_parameter'] as const),
] as const;

/** For operations that can have a body, even if they don't need one. `permission_denied` also means that another page sent the call with a cookie. */
const readCodes = [
  ...commonCodes,
  'permission_denied',
  'invalid_json',
  'invalid_value',
  'request_too_large',
  'unsupported_media_type',
] as const;
/** The same codes, for operations that change something. `permission_denied` also means that the key's role is too low. */
const sentCodes = readCodes;
/** For operations with body fields. */
const bodyCodes = [...sentCodes, 'missing_required_parameter', 'invalid_type'] as const;
/** For operations with an ID in the path. */
const pathCodes = ['string_above_max_length', 'empty_string', 'invalid_value', 'not_found'] as const;
const textCodes = ['string_above_max_length', 'empty_string'] as const;
const numberCodes = ['integer_below_min_value', 'integer_above_max_value'] as const;
const arrayCodes = ['array_above_max_length', 'empty_array'] as const;
const pageCodes = ['invalid_type', 'invalid_value', ...numberCodes] as const;

/** Error codes by operation name. `conflict` means that a name is in use, an alert is resolved, or billing is off. */
export const adminErrors = {
  listAccounts: [...commonCodes, ...pageCodes, ...textCodes],
  exportAccounts: [...commonCodes, 'invalid_type', 'invalid_value', ...textCodes],
  createAccount: [...bodyCodes, ...numberCodes, ...textCodes, 'conflict'],
  getAccount: [...commonCodes, ...pathCodes],
  editAccount: [...bodyCodes, ...pathCodes, ...numberCodes, 'conflict'],
  listKeys: [...commonCodes, ...pageCodes, ...textCodes, 'not_found'],
  exportKeys: [...commonCodes, 'invalid_type', 'invalid_value', ...textCodes, 'not_found'],
  createKey: [...bodyCodes, ...numberCodes, ...textCodes, ...arrayCodes, 'not_found'],
  getKey: [...commonCodes, ...pathCodes],
  editKey: [...bodyCodes, ...pathCodes, ...numberCodes, ...arrayCodes],
  rotateKey: [...bodyCodes, ...pathCodes, ...numberCodes, 'conflict'],
  revokeKey: [...sentCodes, ...pathCodes],
  getBalance: [...commonCodes, ...pathCodes, 'conflict'],
  listEntries: [...commonCodes, ...pathCodes, ...pageCodes, 'conflict'],
  exportEntries: [...commonCodes, ...pathCodes, 'conflict'],
  adjustBalance: [...bodyCodes, ...pathCodes, 'conflict'],
  listSubscriptions: [...commonCodes, ...pathCodes, 'conflict'],
  createSubscription: [...bodyCodes, ...pathCodes, 'conflict'],
  cancelSubscription: [...sentCodes, ...pathCodes, 'conflict'],
  listGroups: commonCodes,
  listPrices: [...commonCodes, 'conflict'],
  createPrice: [...bodyCodes, ...textCodes, 'conflict'],
  getLimits: commonCodes,
  listLimitsInUse: [...commonCodes, 'invalid_type', 'invalid_value', 'decimal_below_min_value', 'decimal_above_max_value'],
  listUsage: [...commonCodes, ...pathCodes, ...pageCodes, 'conflict'],
  getUsage: [...commonCodes, ...pathCodes, 'conflict'],
  reconcileLedger: [...commonCodes, 'conflict'],
  listAudit: [...commonCodes, ...pageCodes, ...textCodes],
  exportAudit: [...commonCodes, 'invalid_type', 'invalid_value', ...textCodes],
  search: [...commonCodes, 'missing_required_parameter', 'invalid_type', 'invalid_value', ...textCodes],
  listAdminKeys: commonCodes,
  createAdminKey: bodyCodes,
  revokeAdminKey: [...sentCodes, ...pathCodes],
  explainKey: [...commonCodes, ...pathCodes],
  listModels: commonCodes,
  listPriceVersions: [...commonCodes, ...pageCodes, ...textCodes],
  explain: [...readCodes, 'missing_required_parameter', 'invalid_type', ...textCodes],
  listRequests: [...commonCodes, ...pageCodes, ...textCodes],
  getRequest: [...commonCodes, ...pathCodes],
  exportRequests: [...commonCodes, ...pageCodes, ...textCodes],
  exportActivity: [...commonCodes, ...pageCodes, ...textCodes],
  getActivity: [...commonCodes, ...pageCodes, ...textCodes],
  getOverview: [...commonCodes, 'invalid_value'],
  listAlerts: [...commonCodes, ...pageCodes, ...textCodes],
  acknowledgeAlert: [...sentCodes, 'invalid_type', ...pathCodes, ...numberCodes, 'conflict'],
  listAlertChannels: commonCodes,
  testAlertChannel: [...sentCodes, ...pathCodes, 'conflict'],
  listUpstreams: commonCodes,
  testUpstream: [...sentCodes, 'invalid_type', ...pathCodes, 'conflict'],
  checkUpstreamKeys: [...sentCodes, ...pathCodes, 'conflict'],
  resetUpstream: [...sentCodes, ...pathCodes, 'conflict'],
  getConfig: [...commonCodes, 'invalid_value', ...textCodes],
  checkConfig: [...sentCodes, 'conflict'],
  reloadConfig: [...sentCodes, 'invalid_type', ...textCodes, 'conflict', 'config_changed'],
  getConfigText: [...commonCodes, 'invalid_value', ...textCodes, 'missing_required_parameter'],
  editConfigText: [...sentCodes, 'invalid_type', 'missing_required_parameter', ...textCodes, 'conflict', 'config_changed'],
  createSession: [...bodyCodes, ...textCodes, 'rate_limit_exceeded'],
  getSession: commonCodes,
  endSession: sentCodes,
  listSessions: [...commonCodes, ...pageCodes, ...textCodes],
  revokeSession: [...sentCodes, ...pathCodes],
} as const satisfies Record<string, readonly ErrorCode[]>;

export type AdminOperation = keyof typeof adminErrors;
export type AdminCode<Name extends AdminOperation> = (typeof adminErrors)[Name][number];

/** For URLs and methods that match no operation of the admin API. */
export const adminAddressErrors = [...commonCodes, 'unknown_url', 'method_not_allowed'] as const satisfies readonly ErrorCode[];
export type AdminAddressCode = (typeof adminAddressErrors)[number];
export type AnyAdminCode = AdminCode<AdminOperation>;
