/** Where settlements go that find the store down: a local SQLite file of its own, on disk before the caller hears of it, replayed when the store is back (promise G2). */
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { StorageError } from '../errors.ts';
import { claimSlot, type OutboxSlot } from './slot.ts';

export interface Outbox {
  /** Resolves when the record is on disk; plain values and bigints come back as they were. A StorageError where it cannot be kept. */
  append(record: object): Promise<void>;
  /**
   * Gives each record to `apply`, oldest first, and removes those that it took; returns how many. After a crash in between a record is given
   * again, so `apply` must be idempotent. A StorageError of it ends the replay; records that it refuses otherwise are passed over, kept, and
   * thrown together at the end.
   */
  replay(apply: (record: unknown) => Promise<void>): Promise<number>;
  /** Records that wait. */
  readonly size: number;
  /** Records that a broken disk has changed: settlements that a person has to look for in the file. */
  readonly damaged: number;
  close(): Promise<void>;
}

export function openOutbox({ folder }: { readonly folder: string }): Outbox {
  const slots = claimSlots(folder);
  const [own] = slots;
  let running: Promise<number> | undefined;
  const sum = (of: (slot: OutboxSlot) => number): number => slots.reduce((total, slot) => total + of(slot), 0);
  return {
    append: (record) => own.append(record),
    replay(apply) {
      running ??= replayAll(slots, apply).finally(() => {
        running = undefined;
      });
      return running;
    },
    get size() {
      return sum(({ size }) => size);
    },
    get damaged() {
      return sum(({ damaged }) => damaged);
    },
    close: async () => {
      await running?.catch(() => undefined);
      for (const slot of slots) await slot.close();
    },
  };
}

const fileName = /^settlements-\d+\.sqlite$/;
/** The files of an outbox in a folder, whoever has them. */
export const outboxFiles = (folder: string): readonly string[] => readdirSync(folder).filter((name) => fileName.test(name));

/** The first that is free, to append to, and all others that processes left behind. */
function claimSlots(folder: string): readonly [OutboxSlot, ...OutboxSlot[]] {
  const path = (number: number): string => join(folder, `settlements-${number}.sqlite`);
  const slots: OutboxSlot[] = [];
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    for (let number = 0; ; number++) {
      const [own, ...left] = slots;
      if (own && !existsSync(path(number))) return [own, ...left];
      const slot = claimSlot(path(number));
      if (slot) slots.push(slot);
    }
  } catch (error) {
    for (const slot of slots) void slot.close();
    const reason = error instanceof Error ? error.message : String(error);
    throw new StorageError(`The spool of settlements in ${folder} cannot be opened: ${reason}. Check the disk and the permissions.`, {
      cause: error,
    });
  }
}

async function replayAll(slots: readonly OutboxSlot[], apply: (record: unknown) => Promise<void>): Promise<number> {
  let applied = 0;
  const refused: unknown[] = [];
  for (const slot of slots) {
    const done = await slot.replay(apply);
    applied += done.applied;
    refused.push(...done.refused);
  }
  if (refused.length > 0) {
    throw new AggregateError(refused, `${refused.length} spooled settlements could not be applied and stay in the spool; ${applied} were.`);
  }
  return applied;
}
