/** Alerts of the gateway: once a minute, one of its processes checks the shared database. Webhooks are notified once when an alert opens and once when it resolves (decision 0030). */

import type { Config } from '../config/config.ts';
import type { WebhookSettings } from '../config/schema-server.ts';
import { randomHex } from '../primitives/shared-timeout.ts';
import type { Read } from '../storage/audit.ts';
import { StorageError } from '../storage/errors.ts';
import type { Log } from '../telemetry/log.ts';
import * as conditions from './conditions.ts';
import {
  type AlertEvent,
  type AlertStore,
  countOpen,
  deliverDue,
  type HealthObservation,
  type NewDelivery,
  nextDue,
  sendOnce,
  writePayload,
} from './store.ts';

export interface Alerts {
  /** Notes what this process sees, looks when it is its turn, and sends what is due: as it does every five seconds. Never rejects. */
  beat(): Promise<void>;
  /** Looks and sends at once, whosever turn it is. Rejects when the store is down. */
  look(): Promise<void>;
  /** Ends what is being sent: it is sent again later, by this or another process. */
  close(): Promise<void>;
}

interface AlertParts {
  readonly store: AlertStore;
  readonly read: Read;
  /** As the configuration says at the moment. */
  readonly settings: () => Config['alerts'];
  /** Models at upstreams as this process knows them. */
  readonly places: () => readonly WatchedPlace[];
  /** Whether calls are charged. */
  readonly hasLedger: boolean;
  /** Whether this process had a call. Before that little can go wrong, and the threads of an idle process end. */
  readonly isCalled: () => boolean;
  readonly node: string;
  readonly log: Log;
  readonly now?: () => number;
  readonly random?: () => number;
  /** Between two turns; null: only when it is told to. Absent: five seconds. */
  readonly beatMs?: number | null;
}

const BEAT_MS = 5_000;
/** Longer than the reading thread of the embedded database waits for another question, so that it ends in between. */
const LOOK_MS = 60_000;
/** Where there was no call, and nothing is open or to be sent: an operator may still have taken money from an account. */
const IDLE_LOOK_MS = 10 * LOOK_MS;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const KEPT_DAYS = 90;
/** The longest rest that an alert waits for is an hour. */
const SEEN_MS = 2 * HOUR_MS;
/** Looks again at once where a look found as many as it may, but not for ever. */
const MAX_ROUNDS = 10;
/** In which what is being sent may end. */
const SHUTDOWN_GRACE_MS = 1_000;

export function openAlerts(parts: AlertParts): Alerts {
  const alerts = new OpenAlerts(parts);
  const { beatMs = BEAT_MS } = parts;
  const timer = beatMs === null ? null : setInterval(() => void alerts.beat(), beatMs).unref();
  return {
    beat: () => alerts.beat(),
    look: () => alerts.look(),
    close() {
      if (timer) clearInterval(timer);
      return alerts.close();
    },
  };
}

class OpenAlerts {
  readonly #parts: AlertParts;
  readonly #now: () => number;
  readonly #sightings: Sightings;
  readonly #closing = new AbortController();
  #running: Promise<void> | null = null;
  #lastLook: number;
  /** Whether something is open or to be sent; until the first look, it may be. */
  #isBusy = true;
  #nextSend = Number.POSITIVE_INFINITY;
  #nextSweep: number;

  constructor(parts: AlertParts) {
    this.#parts = parts;
    this.#now = parts.now ?? Date.now;
    this.#sightings = new Sightings(parts.places);
    this.#lastLook = this.#now();
    this.#nextSweep = this.#now() + HOUR_MS;
  }

  beat(): Promise<void> {
    return this.#running ?? this.#alone(this.#turn());
  }

  async look(): Promise<void> {
    while (this.#running) await this.#running;
    const looking = this.#lookNow();
    void this.#alone(looking);
    await looking;
  }

  async #lookNow(): Promise<void> {
    await this.#see();
    await this.#check();
    await this.#send();
  }

  /** No other turn begins until it has ended. Never rejects. */
  #alone(work: Promise<void>): Promise<void> {
    const running = work
      // A store that is down has its own line in the log, and is asked again in the next turn.
      .catch((error: unknown) => {
        if (!(error instanceof StorageError)) this.#parts.log.error({ err: error }, 'alert check failed');
      })
      .finally(() => {
        this.#running = null;
      });
    this.#running = running;
    return running;
  }

  async close(): Promise<void> {
    const late = setTimeout(() => this.#closing.abort(), SHUTDOWN_GRACE_MS);
    await this.#running;
    clearTimeout(late);
    this.#closing.abort();
  }

  async #turn(): Promise<void> {
    await this.#see();
    const now = this.#now();
    if (now >= this.#lastLook + (this.#isBusy || this.#parts.isCalled() ? LOOK_MS : IDLE_LOOK_MS)) {
      this.#lastLook = now;
      if (await this.#parts.store.takeTurn('look', now, LOOK_MS)) await this.#check();
      // What another process could not send is due here, too.
      await this.#plan();
    }
    if (this.#now() >= this.#nextSend) await this.#send();
    if (now >= this.#nextSweep) await this.#sweep(now);
  }

  async #see(): Promise<void> {
    const now = this.#now();
    const seen = this.#sightings.look(now);
    if (seen.length > 0) await this.#parts.store.see(this.#parts.node, now, seen);
  }

  async #check(): Promise<void> {
    const { read, settings } = this.#parts;
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const look = { read, now: this.#now(), settings: settings() };
      const counts = [await this.#resolveOver(look), await this.#openFound(look)];
      if (Math.max(...counts.flat()) < conditions.MAX_BATCH) break;
    }
    await this.#plan();
  }

  async #openFound(look: conditions.Look): Promise<number[]> {
    const { hasLedger } = this.#parts;
    const ofMoney = [conditions.findLowBalances, conditions.findUsedCaps, conditions.findDifferingBooks];
    const counts: number[] = [];
    for (const find of [conditions.findUnavailableUpstreams, ...(hasLedger ? ofMoney : [])]) {
      const found = await find(look);
      for (const one of found) await this.#open(one, look.now);
      counts.push(found.length);
    }
    return counts;
  }

  /** Also without billing: it may have been turned off. */
  async #resolveOver(look: conditions.Look): Promise<number[]> {
    const counts: number[] = [];
    const { findRestoredBalances, findFreedCaps, findRecoveredUpstreams, findAgreeingBooks } = conditions;
    for (const find of [findRestoredBalances, findFreedCaps, findRecoveredUpstreams, findAgreeingBooks]) {
      const over = await find(look);
      for (const one of over) await this.#resolve(one, look.now);
      counts.push(over.length);
    }
    return counts;
  }

  async #open(found: conditions.Found, now: number): Promise<void> {
    const alert = { ...found, id: newAlertId(now), openedAt: now };
    const isNew = await this.#parts.store.open(alert, this.#deliveries('opened', { ...alert, resolvedAt: null }));
    if (isNew) this.#parts.log.warn({ alert: alert.id, kind: alert.kind, subject: alert.subject }, 'alert opened');
  }

  async #resolve(over: conditions.Over, now: number): Promise<void> {
    const isNew = await this.#parts.store.resolve(over.id, now, this.#deliveries('resolved', { ...over, resolvedAt: now }));
    if (isNew) this.#parts.log.info({ alert: over.id, kind: over.kind, subject: over.subject }, 'alert resolved');
  }

  #deliveries(event: AlertEvent, told: Parameters<typeof writePayload>[1]): NewDelivery[] {
    const interested = this.#parts.settings().webhooks.filter(({ events }) => events === undefined || events.includes(told.kind));
    return interested.map(({ name }) => ({ webhook: name, body: writePayload(event, told) }));
  }

  async #send(): Promise<void> {
    const { store, settings, log, random = Math.random } = this.#parts;
    if (settings().webhooks.length === 0) return;
    const webhooks = (): readonly WebhookSettings[] => (this.#closing.signal.aborted ? [] : settings().webhooks);
    await deliverDue({
      store,
      webhooks,
      send: (webhook, message) => sendOnce(webhook, message, { signal: this.#closing.signal }),
      now: this.#now,
      random,
      failed: ({ alertId, webhook, attempts }, { status, failure }, isLast) => {
        const fields = { alert: alertId, webhook, attempts, status, failure };
        if (isLast) log.error(fields, 'webhook delivery failed; giving up');
        else log.warn(fields, 'webhook delivery failed; retrying');
      },
    });
    await this.#plan();
  }

  async #plan(): Promise<void> {
    const { read, settings } = this.#parts;
    const names = settings().webhooks.map(({ name }) => name);
    const [due, open] = [await nextDue(read, names), await countOpen(read)];
    this.#nextSend = due ?? Number.POSITIVE_INFINITY;
    this.#isBusy = due !== null || open !== null;
  }

  async #sweep(now: number): Promise<void> {
    this.#nextSweep = now + HOUR_MS;
    await this.#parts.store.sweep({ due: now - DAY_MS, resolved: now - KEPT_DAYS * DAY_MS, seen: now - SEEN_MS });
  }
}

const TIME_DIGITS = 12;
/** The time comes first, so ids sort by it. */
const newAlertId = (now: number): string => `alert_${now.toString(16).padStart(TIME_DIGITS, '0')}${randomHex(6)}`;

/** A model at an upstream that was called. */
export interface WatchedPlace {
  readonly upstream: string;
  readonly upstreamModel: string;
  readonly state: 'closed' | 'open' | 'half_open';
  /** Milliseconds until it is tried again. */
  readonly restMs: number;
}

class Sightings {
  readonly #places: () => readonly WatchedPlace[];
  readonly #since = new Map<string, number>();

  constructor(places: () => readonly WatchedPlace[]) {
    this.#places = places;
  }

  /** To be asked every few seconds: a rest begins when it is first seen, and ends when it is not. */
  look(now: number): readonly HealthObservation[] {
    const resting = Map.groupBy(
      this.#places().filter(({ state, restMs }) => state !== 'closed' || restMs > 0),
      ({ upstream }) => upstream,
    );
    for (const known of this.#since.keys()) if (!resting.has(known)) this.#since.delete(known);
    return [...resting].map(([subject, places]) => {
      const since = this.#since.get(subject) ?? now;
      this.#since.set(subject, since);
      return { subject, since, detail: detailOf(places) };
    });
  }
}

const MAX_NAMED = 5;

/** Without numbers that change each second. */
function detailOf(places: readonly WatchedPlace[]): string {
  const hasFailed = places.some(({ state }) => state !== 'closed');
  const names = places.slice(0, MAX_NAMED).map(({ upstreamModel }) => upstreamModel);
  const others = places.length > MAX_NAMED ? ` and ${places.length - MAX_NAMED} more` : '';
  return `${names.join(', ')}${others} ${hasFailed ? 'failed several times in a row' : 'was rate limited'}`;
}
