/** Which role an operator needs for each operation of the operators' API: the one table that the server, the document and the tests read. */
import type { AdminOperation } from './admin-errors.ts';

/** Each role may also do what the roles before it may. */
export const adminRoleNames = ['viewer', 'billing', 'admin'] as const;
export type AdminRole = (typeof adminRoleNames)[number];

/** By the name of the operation in the contract: the least role that may call it. */
export const adminRoles = {
  listAccounts: 'viewer',
  createAccount: 'admin',
  getAccount: 'viewer',
  editAccount: 'admin',
  listKeys: 'viewer',
  search: 'viewer',
  createKey: 'admin',
  getKey: 'viewer',
  editKey: 'admin',
  rotateKey: 'admin',
  revokeKey: 'admin',
  getBalance: 'viewer',
  listEntries: 'viewer',
  exportEntries: 'viewer',
  adjustBalance: 'billing',
  listSubscriptions: 'viewer',
  createSubscription: 'billing',
  cancelSubscription: 'billing',
  listGroups: 'viewer',
  listPrices: 'viewer',
  createPrice: 'billing',
  getLimits: 'viewer',
  listLimitsInUse: 'viewer',
  listUsage: 'viewer',
  getUsage: 'viewer',
  reconcileLedger: 'viewer',
  listAudit: 'viewer',
  listAdminKeys: 'viewer',
  createAdminKey: 'admin',
  revokeAdminKey: 'admin',
  explain: 'viewer',
  listRequests: 'viewer',
  getRequest: 'viewer',
  exportRequests: 'viewer',
  exportActivity: 'viewer',
  getActivity: 'viewer',
  getConfig: 'viewer',
  checkConfig: 'admin',
  reloadConfig: 'admin',
  explainKey: 'viewer',
  listModels: 'viewer',
  listPriceVersions: 'viewer',
  getOverview: 'viewer',
  listAlerts: 'viewer',
  listWebhooks: 'viewer',
  testWebhook: 'admin',
  listUpstreams: 'viewer',
  testUpstream: 'admin',
  wakeUpstream: 'admin',
  createSession: 'viewer',
  getSession: 'viewer',
  endSession: 'viewer',
  listSessions: 'viewer',
  revokeSession: 'admin',
} as const satisfies Record<AdminOperation, AdminRole>;

/** Whether an operator with the role may do what needs the other. */
export const mayAs = (role: AdminRole, needed: AdminRole): boolean => adminRoleNames.indexOf(role) >= adminRoleNames.indexOf(needed);
