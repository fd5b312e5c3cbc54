/** Which codes of the error table each operation of the admin API can return. */
import type { ErrorCode } from '../errors.ts';

/** Possible for every operation: each rejects unknown query parameters. */
const always = [
  ...(['malformed_request', 'request_timeout', 'headers_too_large', 'internal_error', 'overloaded'] as const),
  ...(['invalid_api_key', 'unknown_parameter'] as const),
] as const;

/** Errors of operations that can have a body, also for those that need none. `permission_denied`: a call with a cookie that comes from another page. */
const read = [...always, 'permission_denied', 'invalid_json', 'invalid_value', 'request_too_large', 'unsupported_media_type'] as const;
/** The same for operations that change something; there `permission_denied` also means that the role of the key is too low. */
const sent = read;
/** Errors of a body with fields. */
const body = [...sent, 'missing_required_parameter', 'invalid_type'] as const;
/** Errors of an ID in the path. */
const path = ['string_above_max_length', 'empty_string', 'invalid_value', 'not_found'] as const;
const text = ['string_above_max_length', 'empty_string'] as const;
const numbers = ['integer_below_min_value', 'integer_above_max_value'] as const;
const list = ['array_above_max_length', 'empty_array'] as const;
const page = ['invalid_type', 'invalid_value', ...numbers] as const;

/** By the name of the operation in the contract. `conflict`: a name is in use, an alert is resolved, or billing is off. */
export const adminErrors = {
  listAccounts: [...always, ...page, ...text],
  exportAccounts: [...always, 'invalid_type', 'invalid_value', ...text],
  createAccount: [...body, ...numbers, ...text, 'conflict'],
  getAccount: [...always, ...path],
  editAccount: [...body, ...path, ...numbers, 'conflict'],
  listKeys: [...always, ...page, ...text, 'not_found'],
  exportKeys: [...always, 'invalid_type', 'invalid_value', ...text, 'not_found'],
  createKey: [...body, ...numbers, ...text, ...list, 'not_found'],
  getKey: [...always, ...path],
  editKey: [...body, ...path, ...numbers, ...list],
  rotateKey: [...body, ...path, ...numbers, 'conflict'],
  revokeKey: [...sent, ...path],
  getBalance: [...always, ...path, 'conflict'],
  listEntries: [...always, ...path, ...page, 'conflict'],
  exportEntries: [...always, ...path, 'conflict'],
  adjustBalance: [...body, ...path, 'conflict'],
  listSubscriptions: [...always, ...path, 'conflict'],
  createSubscription: [...body, ...path, 'conflict'],
  cancelSubscription: [...sent, ...path, 'conflict'],
  listGroups: always,
  listPrices: [...always, 'conflict'],
  createPrice: [...body, ...text, 'conflict'],
  getLimits: always,
  listLimitsInUse: [...always, 'invalid_type', 'invalid_value', 'decimal_below_min_value', 'decimal_above_max_value'],
  listUsage: [...always, ...path, ...page, 'conflict'],
  getUsage: [...always, ...path, 'conflict'],
  reconcileLedger: [...always, 'conflict'],
  listAudit: [...always, ...page, ...text],
  exportAudit: [...always, 'invalid_type', 'invalid_value', ...text],
  search: [...always, 'missing_required_parameter', 'invalid_type', 'invalid_value', ...text],
  listAdminKeys: always,
  createAdminKey: body,
  revokeAdminKey: [...sent, ...path],
  explainKey: [...always, ...path],
  listModels: always,
  listPriceVersions: [...always, ...page, ...text],
  explain: [...read, 'missing_required_parameter', 'invalid_type', ...text],
  listRequests: [...always, ...page, ...text],
  getRequest: [...always, ...path],
  exportRequests: [...always, ...page, ...text],
  exportActivity: [...always, ...page, ...text],
  getActivity: [...always, ...page, ...text],
  getOverview: [...always, 'invalid_value'],
  listAlerts: [...always, ...page, ...text],
  acknowledgeAlert: [...sent, 'invalid_type', ...path, ...numbers, 'conflict'],
  listWebhooks: always,
  testWebhook: [...sent, ...path, 'conflict'],
  listUpstreams: always,
  testUpstream: [...sent, 'invalid_type', ...path, 'conflict'],
  resetUpstream: [...sent, ...path, 'conflict'],
  getConfig: [...always, 'invalid_value', ...text],
  checkConfig: [...sent, 'conflict'],
  reloadConfig: [...sent, 'invalid_type', ...text, 'conflict', 'config_changed'],
  createSession: [...body, ...text, 'rate_limit_exceeded'],
  getSession: always,
  endSession: sent,
  listSessions: [...always, ...page, ...text],
  revokeSession: [...sent, ...path],
} as const satisfies Record<string, readonly ErrorCode[]>;

export type AdminOperation = keyof typeof adminErrors;
export type AdminCode<Name extends AdminOperation> = (typeof adminErrors)[Name][number];

/** Errors of URLs and methods that no operation of the admin API has. */
export const adminAddressErrors = [...always, 'unknown_url', 'method_not_allowed'] as const satisfies readonly ErrorCode[];
export type AdminAddressCode = (typeof adminAddressErrors)[number];
/** What any operation of the admin API can return. */
export type AnyAdminCode = AdminCode<AdminOperation>;
