/** The target of an alert: an account, a key, an upstream, or the gateway. */
import type { AlertKind } from '../../config/schema-alerts.ts';

type AlertTarget = 'account' | 'key' | 'upstream' | 'gateway';

const targets: Readonly<Record<AlertKind, AlertTarget>> = {
  balance_low: 'account',
  cap_used: 'key',
  upstream_unavailable: 'upstream',
  ledger_mismatch: 'gateway',
};

/** A cap belongs to a key or to an account, which has an ID of another form. */
export const getAlertTarget = ({ kind, subject }: { readonly kind: AlertKind; readonly subject: string }): AlertTarget =>
  subject.startsWith('acct_') ? 'account' : targets[kind];
