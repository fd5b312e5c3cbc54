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
  deliverDue,
  type HealthObservation,
  hasOpen,
  type NewDelivery,
  nextDue,
  sendOnce,
  writePayload,
} from './store.ts';

export interface Alerts extends Pick<AlertStore, 'acknowledge'> {
  /** Writes observations of this process, checks if it's its turn, and sends due messages. Called every five seconds. Never rejects. */
  beat(): Promise<void>;
  /** Checks and sends immediately, even if it isn't this process's turn. Rejects if the store is down. */
  look(): Promise<void>;
  /** Aborts deliveries in flight. This or another process sends them again later. */
  close(): Promise<void>;
}

interface AlertParts {
  readonly store: AlertStore;
  readonly read: Read;
  /** Returns the current settings. */
  readonly settings: () => Config['alerts'];
  /** Returns the state of models at upstreams in this process. */
  readonly places: () => readonly WatchedPlace[];
  /** Whether calls are charged. */
  readonly hasLedger: boolean;
  /** Whether this process has handled a call. Until then, it checks less often, so that the threads of an idle process can end. */
  readonly isCalled: () => boolean;
  readonly node: string;
  readonly log: Log;
  readonly now?: () => number;
  readonly random?: () => number;
  /** Interval of turns. Null to run only when called. Defaults to five seconds. */
  readonly beatMs?: number | null;
}

const BEAT_MS = 5_000;
/** Longer than the idle timeout of the embedded database's reading thread, so that the thread can end between checks. */
const LOOK_MS = 60_000;
/** Interval for idle processes. An operator may still debit an account. */
const IDLE_LOOK_MS = 10 * LOOK_MS;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const KEPT_DAYS = 90;
/** Observations are kept for longer than the maximum of `upstreamUnavailableForMs`, which is an hour. */
const SEEN_MS = 2 * HOUR_MS;
/** A full batch is followed by another check immediately, up to this many times. */
const MAX_ROUNDS = 10;
/** How long deliveries in flight can take after `close`. */
const SHUTDOWN_GRACE_MS = 1_000;

export function openAlerts(parts: AlertParts): Alerts {
  const alerts = new OpenAlerts(parts);
  const { beatMs = BEAT_MS } = parts;
  const timer = beatMs === null ? null : setInterval(() => void alerts.beat(), beatMs).unref();
  return {
    beat: () => alerts.beat(),
    look: () => alerts.look(),
    acknowledge: (...args) => parts.store.acknowledge(...args),
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
  /** Whether an alert is open or a message is due. True until the first check. */
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

  /** Prevents another turn until the work has ended. Never rejects. */
  #alone(work: Promise<void>): Promise<void> {
    const running = work
      // The store logs its own failures, and the next turn tries again.
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
      // Also plans messages that another process couldn't send.
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

  /** Also resolves billing alerts if billing is off, because it may have been turned off. */
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
    const due = await nextDue(read, names);
    this.#nextSend = due ?? Number.POSITIVE_INFINITY;
    this.#isBusy = due !== null || (await hasOpen(read));
  }

  async #sweep(now: number): Promise<void> {
    this.#nextSweep = now + HOUR_MS;
    await this.#parts.store.sweep({ due: now - DAY_MS, resolved: now - KEPT_DAYS * DAY_MS, seen: now - SEEN_MS });
  }
}

const TIME_DIGITS = 12;
/** The time comes first, so that IDs sort by it. */
const newAlertId = (now: number): string => `alert_${now.toString(16).padStart(TIME_DIGITS, '0')}${randomHex(6)}`;

/** State of a model at an upstream that was called. */
export interface WatchedPlace {
  readonly upstream: string;
  readonly upstreamModel: string;
  readonly state: 'closed' | 'open' | 'half_open';
  /** Milliseconds until the next attempt. */
  readonly restMs: number;
}

class Sightings {
  readonly #places: () => readonly WatchedPlace[];
  readonly #since = new Map<string, number>();

  constructor(places: () => readonly WatchedPlace[]) {
    this.#places = places;
  }

  /** Called every few seconds. An outage begins when it's first seen, and ends when it no longer is. */
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

/** Omits numbers that change every second, so that the text stays stable. */
function detailOf(places: readonly WatchedPlace[]): string {
  const hasFailed = places.some(({ state }) => state !== 'closed');
  const names = places.slice(0, MAX_NAMED).map(({ upstreamModel }) => upstreamModel);
  const others = places.length > MAX_NAMED ? ` and ${places.length - MAX_NAMED} more` : '';
  return `${names.join(', ')}${others} ${hasFailed ? 'failed several times in a row' : 'was rate limited'}`;
}
