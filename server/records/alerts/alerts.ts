/** Alerts of the gateway: once a minute, one of its processes checks the shared database. Channels are notified once when an alert opens and once when it resolves (decision 0030). */

import type { Config } from '../../config/config.ts';
import { randomHex } from '../../primitives/random-hex.ts';
import type { Read } from '../../store/audit.ts';
import { StorageError } from '../../store/errors.ts';
import type { Log } from '../../telemetry/log.ts';
import { DAY_MS, HOUR_MS } from '../time-bucket.ts';
import { writeAlertMessage } from './alert-message.ts';
import { type Channel, listChannels } from './channels.ts';
import * as conditions from './conditions.ts';
import { deliverDueAlerts, findNextDue } from './deliver-alerts.ts';
import { hasOpenAlerts } from './list-alerts.ts';
import { OutageTracker, type WatchedModel } from './outage-tracker.ts';
import { sendMessage } from './send-message.ts';
import type { AlertEvent, AlertStore, NewDelivery } from './store.ts';

interface AlertOptions {
  readonly store: AlertStore;
  readonly read: Read;
  /** Returns the current settings. */
  readonly settings: () => Config['alerts'];
  /** The console's address for browsers. Without it, messages have no links. */
  readonly publicUrl?: string | undefined;
  /** Returns the state of models at upstreams in this process. */
  readonly places: () => readonly WatchedModel[];
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

const TICK_INTERVAL_MS = 5_000;
/** Longer than the idle timeout of the embedded database's reading thread, so that the thread can end between checks. */
const CHECK_INTERVAL_MS = 60_000;
/** Interval for idle processes. An operator may still debit an account. */
const IDLE_CHECK_INTERVAL_MS = 10 * CHECK_INTERVAL_MS;
const RETENTION_DAYS = 90;
/** Observations are kept for longer than the maximum of `upstreamUnavailableForMs`, which is an hour. */
const OBSERVATION_RETENTION_MS = 2 * HOUR_MS;
/** A full batch is followed by another check immediately, up to this many times. */
const MAX_ROUNDS = 10;
/** How long deliveries in flight can take after `close`. */
const SHUTDOWN_GRACE_MS = 1_000;

export class Alerts {
  readonly #options: AlertOptions;
  readonly #timer: NodeJS.Timeout | undefined;
  readonly acknowledge: AlertStore['acknowledge'];
  readonly #now: () => number;
  readonly #outages: OutageTracker;
  readonly #abortController = new AbortController();
  #currentRun: Promise<void> | null = null;
  #lastCheckAt: number;
  /** Whether an alert is open or a message is due. True until the first check. */
  #isBusy = true;
  #nextSendAt = Number.POSITIVE_INFINITY;
  #nextSweepAt: number;

  constructor(options: AlertOptions) {
    this.#options = options;
    this.acknowledge = options.store.acknowledge;
    this.#now = options.now ?? Date.now;
    this.#outages = new OutageTracker(options.places);
    this.#lastCheckAt = this.#now();
    this.#nextSweepAt = this.#now() + HOUR_MS;
    const { beatMs: tickMs = TICK_INTERVAL_MS } = options;
    if (tickMs !== null) this.#timer = setInterval(() => void this.tick(), tickMs).unref();
  }

  /** Writes observations of this process, checks if it's its turn, and sends due messages. Called every five seconds. Never rejects. */
  tick(): Promise<void> {
    return this.#currentRun ?? this.#runExclusively(this.#runTurn());
  }

  /** Checks and sends immediately, even if it isn't this process's turn. Rejects if the store is down. */
  async checkNow(): Promise<void> {
    while (this.#currentRun) await this.#currentRun;
    const check = this.#checkNow();
    void this.#runExclusively(check);
    await check;
  }

  async #checkNow(): Promise<void> {
    await this.#recordObservations();
    await this.#check();
    await this.#send();
  }

  /** Prevents another turn until the work has ended. Never rejects. */
  #runExclusively(work: Promise<void>): Promise<void> {
    const running = work
      // The store logs its own failures, and the next turn tries again.
      .catch((error: unknown) => {
        if (!(error instanceof StorageError)) this.#options.log.error({ err: error }, 'alert check failed');
      })
      .finally(() => {
        this.#currentRun = null;
      });
    this.#currentRun = running;
    return running;
  }

  /** Aborts deliveries in flight. This or another process sends them again later. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    const graceTimer = setTimeout(() => this.#abortController.abort(), SHUTDOWN_GRACE_MS);
    await this.#currentRun;
    clearTimeout(graceTimer);
    this.#abortController.abort();
  }

  async #runTurn(): Promise<void> {
    await this.#recordObservations();
    const now = this.#now();
    if (now >= this.#lastCheckAt + (this.#isBusy || this.#options.isCalled() ? CHECK_INTERVAL_MS : IDLE_CHECK_INTERVAL_MS)) {
      this.#lastCheckAt = now;
      if (await this.#options.store.acquireTurn('look', now, CHECK_INTERVAL_MS)) await this.#check();
      // Also plans messages that another process couldn't send.
      await this.#scheduleNext();
    }
    if (this.#now() >= this.#nextSendAt) await this.#send();
    if (now >= this.#nextSweepAt) await this.#sweep(now);
  }

  async #recordObservations(): Promise<void> {
    const now = this.#now();
    const observations = this.#outages.observe(now);
    if (observations.length > 0) await this.#options.store.saveObservations(this.#options.node, now, observations);
  }

  async #check(): Promise<void> {
    const { read, settings: getSettings } = this.#options;
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const context = { read, now: this.#now(), settings: getSettings() };
      const counts = [await this.#resolveEnded(context), await this.#openDetected(context)];
      if (Math.max(...counts.flat()) < conditions.MAX_BATCH) break;
    }
    await this.#scheduleNext();
  }

  async #openDetected(context: conditions.ConditionContext): Promise<number[]> {
    const { hasLedger } = this.#options;
    const moneyConditions = [conditions.findLowBalances, conditions.findUsedCaps, conditions.findLedgerMismatches];
    const counts: number[] = [];
    for (const find of [conditions.findUnavailableUpstreams, ...(hasLedger ? moneyConditions : [])]) {
      const detectedAlerts = await find(context);
      for (const one of detectedAlerts) await this.#open(one, context.now);
      counts.push(detectedAlerts.length);
    }
    return counts;
  }

  /** Also resolves billing alerts if billing is off, because it may have been turned off. */
  async #resolveEnded(context: conditions.ConditionContext): Promise<number[]> {
    const counts: number[] = [];
    const { findRestoredBalances, findFreedCaps, findRecoveredUpstreams, findResolvedMismatches: findAgreeingBooks } = conditions;
    for (const find of [findRestoredBalances, findFreedCaps, findRecoveredUpstreams, findAgreeingBooks]) {
      const endedAlerts = await find(context);
      for (const one of endedAlerts) await this.#resolve(one, context.now);
      counts.push(endedAlerts.length);
    }
    return counts;
  }

  async #open(detectedAlert: conditions.DetectedAlert, now: number): Promise<void> {
    const alert = { ...detectedAlert, id: generateAlertId(now), openedAt: now };
    const isNew = await this.#options.store.open(alert, this.#createDeliveries('opened', { ...alert, resolvedAt: null }));
    if (isNew) this.#options.log.warn({ alert: alert.id, kind: alert.kind, subject: alert.subject }, 'alert opened');
  }

  async #resolve(endedAlert: conditions.EndedAlert, now: number): Promise<void> {
    const isNew = await this.#options.store.resolve(
      endedAlert.id,
      now,
      this.#createDeliveries('resolved', { ...endedAlert, resolvedAt: now }),
    );
    if (isNew) this.#options.log.info({ alert: endedAlert.id, kind: endedAlert.kind, subject: endedAlert.subject }, 'alert resolved');
  }

  #createDeliveries(event: AlertEvent, alert: Parameters<typeof writeAlertMessage>[2]): NewDelivery[] {
    const { settings: getSettings, publicUrl } = this.#options;
    const channels = listChannels(getSettings()).filter(({ events }) => events === undefined || events.includes(alert.kind));
    return channels.map(({ name, format }) => ({ channel: name, body: writeAlertMessage(format, event, alert, publicUrl) }));
  }

  async #send(): Promise<void> {
    const { store, settings: getSettings, log, random = Math.random } = this.#options;
    const getChannels = (): readonly Channel[] => (this.#abortController.signal.aborted ? [] : listChannels(getSettings()));
    if (getChannels().length === 0) return;
    await deliverDueAlerts({
      store,
      channels: getChannels,
      send: (channel, message) => sendMessage(channel, message, { signal: this.#abortController.signal }),
      now: this.#now,
      random,
      failed: ({ alertId, channel, attempts }, { status, failure }, isLast) => {
        const fields = { alert: alertId, channel, attempts, status, failure };
        if (isLast) log.error(fields, 'alert delivery failed; giving up');
        else log.warn(fields, 'alert delivery failed; retrying');
      },
    });
    await this.#scheduleNext();
  }

  async #scheduleNext(): Promise<void> {
    const { read, settings: getSettings } = this.#options;
    const names = listChannels(getSettings()).map(({ name }) => name);
    const nextDueAt = await findNextDue(read, names);
    this.#nextSendAt = nextDueAt ?? Number.POSITIVE_INFINITY;
    this.#isBusy = nextDueAt !== null || (await hasOpenAlerts(read));
  }

  async #sweep(now: number): Promise<void> {
    this.#nextSweepAt = now + HOUR_MS;
    await this.#options.store.sweep({ due: now - DAY_MS, resolved: now - RETENTION_DAYS * DAY_MS, seen: now - OBSERVATION_RETENTION_MS });
  }
}

const TIME_DIGITS = 12;
/** The time comes first, so that IDs sort by it. */
const generateAlertId = (now: number): string => `alert_${now.toString(16).padStart(TIME_DIGITS, '0')}${randomHex(6)}`;
