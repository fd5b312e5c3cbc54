/** The store of alerts and of what is sent about them; each method is atomic. Times in milliseconds since 1970. */
import type { AlertKind } from '../config/alerts-schema.ts';

export interface NewAlert {
  /** Ids ascend with time. */
  readonly id: string;
  readonly kind: AlertKind;
  /** Id or name of what it is about; empty: the gateway as a whole. */
  readonly subject: string;
  /** For people, where the subject is an id. */
  readonly name: string | null;
  readonly message: string;
  readonly value: string | null;
  readonly threshold: string | null;
  readonly openedAt: number;
}

export type AlertEvent = 'opened' | 'resolved';
export type DeliveryState = 'waiting' | 'delivered' | 'failed';

/** What is sent to one webhook. */
export interface NewDelivery {
  readonly webhook: string;
  /** The bytes to send, the same with each attempt. */
  readonly body: string;
}

export interface DeliveryKey {
  readonly alertId: string;
  readonly webhook: string;
  readonly event: AlertEvent;
}

export interface ClaimedDelivery extends DeliveryKey {
  readonly body: string;
  /** This one included. */
  readonly attempts: number;
}

export interface Claim {
  /** Names of the webhooks of the configuration: nothing is sent to another. */
  readonly webhooks: readonly string[];
  readonly now: number;
  /** From when on another process may try it, if this one ends without a word. */
  readonly until: number;
  readonly limit: number;
}

export interface Attempted extends DeliveryKey {
  readonly state: DeliveryState;
  /** Null when it is not tried again. */
  readonly nextAt: number | null;
  readonly status: number | null;
  readonly failure: string | null;
}

/** Something that a process sees now. */
export interface Sighting {
  readonly subject: string;
  readonly detail: string;
  readonly since: number;
}

export interface AlertStore {
  /** True for one process only, and once in `everyMs`. */
  takeTurn(name: string, now: number, everyMs: number): Promise<boolean>;
  see(node: string, now: number, sightings: readonly Sighting[]): Promise<void>;
  /** With what is to be sent about it. False: one of its kind is open for the subject, and nothing was done. */
  open(alert: NewAlert, deliveries: readonly NewDelivery[]): Promise<boolean>;
  /** With what is to be sent about it, to webhooks that its begin was for. False: it was resolved already, and nothing was done. */
  resolve(id: string, now: number, deliveries: readonly NewDelivery[]): Promise<boolean>;
  /** Deliveries that are due, for this process alone, until a time. One about the end of an alert waits for the one about its begin. */
  claim(claim: Claim): Promise<readonly ClaimedDelivery[]>;
  finish(attempted: Attempted): Promise<void>;
  /** Ends deliveries that were due before `due`, and deletes alerts that were resolved, and sightings that are, from before the other times. */
  sweep(before: { readonly due: number; readonly resolved: number; readonly seen: number }): Promise<void>;
}

/** In one sweep: paid calls may have to wait for the commit. */
export const MOST_SWEPT = 500;
/** Why a delivery ended that nobody took. */
export const TOO_OLD = 'was due for a day';

/** Of a delivery `due`: its end is not told while its begin is still to be told. */
export const ISNT_BLOCKED = `NOT EXISTS (
  SELECT 1 FROM alert_deliveries AS begun
  WHERE due.event = 'resolved' AND begun.alert_id = due.alert_id AND begun.webhook = due.webhook AND begun.event = 'opened'
    AND begun.next_at IS NOT NULL)`;
