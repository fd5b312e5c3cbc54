/** The interface of the store of alerts and their deliveries. Each method is atomic. Times are in milliseconds since 1970. */
import type { AlertKind } from '../../config/schema-alerts.ts';
import type { AuditEntry } from '../../store/audit.ts';

/**
 * Each of several thresholds opens its own alert. The stored subject ends in one mark per level, so that the index on open alerts allows
 * one alert per level. IDs and names of subjects don't contain the mark.
 */
export const LEVEL_MARK = '#';
export const getLevelMarks = (level: number): string => LEVEL_MARK.repeat(level);

export interface NewAlert {
  /** IDs ascend with time. */
  readonly id: string;
  readonly kind: AlertKind;
  /** ID or name of the subject. Empty for the gateway as a whole. */
  readonly subject: string;
  /** The rank of the threshold, the mildest first. Defaults to 0. */
  readonly level?: number;
  /** Name for people if the subject is an ID. */
  readonly name: string | null;
  readonly message: string;
  readonly value: string | null;
  readonly threshold: string | null;
  readonly openedAt: number;
}

export type AlertEvent = 'opened' | 'resolved';
export type DeliveryState = 'waiting' | 'delivered' | 'failed';

/** A message to one channel. */
export interface NewDelivery {
  /** The channel's name. Its column is named `webhook`. */
  readonly channel: string;
  /** The bytes to send. They stay the same across attempts. */
  readonly body: string;
}

interface DeliveryKey {
  readonly alertId: string;
  readonly channel: string;
  readonly event: AlertEvent;
}

export interface ClaimedDelivery extends DeliveryKey {
  readonly body: string;
  /** The number of attempts, including this one. */
  readonly attempts: number;
}

interface DeliveryClaim {
  /** Names of the configured channels. Nothing is sent to others. */
  readonly channels: readonly string[];
  readonly now: number;
  /** When another process can try it, if this one crashes. */
  readonly until: number;
  readonly limit: number;
}

export interface DeliveryAttempt extends DeliveryKey {
  readonly state: DeliveryState;
  /** Null if it isn't tried again. */
  readonly nextAt: number | null;
  readonly status: number | null;
  readonly failure: string | null;
}

/** The health of a subject, as observed by a process now. */
export interface HealthObservation {
  readonly subject: string;
  readonly detail: string;
  readonly since: number;
}

/** The person who handles an alert. */
export interface Acknowledgement {
  readonly by: string;
  readonly at: number;
  /** Null means until the alert resolves. */
  readonly until: number | null;
}

export interface AlertStore {
  /** Returns true for only one process, once per `everyMs`. */
  acquireTurn(name: string, now: number, everyMs: number): Promise<boolean>;
  saveObservations(node: string, now: number, observations: readonly HealthObservation[]): Promise<void>;
  /** Stores the alert and its messages. Returns false if an alert of this kind and level is already open for the subject. */
  open(alert: NewAlert, deliveries: readonly NewDelivery[]): Promise<boolean>;
  /** Resolves the alert and stores messages for channels that got the opening message. Returns false if it was already resolved. */
  resolve(id: string, now: number, deliveries: readonly NewDelivery[]): Promise<boolean>;
  /**
   * Acknowledges an open alert on behalf of the actor, replacing an earlier acknowledgment. Returns the alert, unchanged if it's
   * resolved. Null if it doesn't exist.
   */
  acknowledge(id: string, until: Acknowledgement['until'], audit: AuditEntry): Promise<AlertRecord | null>;
  /** Claims due deliveries for this process, until a certain time. A resolved message waits for its opened message. */
  claim(claim: DeliveryClaim): Promise<readonly ClaimedDelivery[]>;
  finish(attempt: DeliveryAttempt): Promise<void>;
  /** Expires deliveries that were due before `due`, and deletes old resolved alerts and observations. */
  sweep(before: { readonly due: number; readonly resolved: number; readonly seen: number }): Promise<void>;
}

/** Maximum number of rows per sweep, because paid calls may wait for the commit. */
export const MAX_SWEPT_ALERTS = 500;
/** Failure of a message that no receiver accepted in time. */
export const EXPIRED_FAILURE = 'expired after a day';

/** Condition on a delivery `due`: a resolved message isn't sent while the opened message is still pending. */
export const NOT_BLOCKED_SQL = `NOT EXISTS (
  SELECT 1 FROM alert_deliveries AS begun
  WHERE due.event = 'resolved' AND begun.alert_id = due.alert_id AND begun.webhook = due.webhook AND begun.event = 'opened'
    AND begun.next_at IS NOT NULL)`;

export interface AlertRecord extends NewAlert {
  readonly resolvedAt: number | null;
  readonly acknowledgement: Acknowledgement | null;
}
