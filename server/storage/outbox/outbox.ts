/** Keeps settlements that find the store down in a local SQLite file, on disk before the caller is told, and replays them when the store is back (promise G2). */
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { StorageError } from '../errors.ts';
import { claimSlot, type OutboxSlot } from './slot.ts';

export interface Outbox {
  /** Resolves when the record is on disk; it may hold plain values and bigints. Rejects with a StorageError when it cannot be stored. */
  append(record: object): Promise<void>;
  /**
   * Calls `apply` with each record, oldest first, and removes those that were applied; returns how many. A record may be applied again after a
   * crash, so `apply` must be idempotent. A StorageError ends the replay. A record that fails with another error stays in the outbox; these errors
   * are thrown together at the end.
   */
  replay(apply: (record: unknown) => Promise<void>): Promise<number>;
  /** The number of waiting records. */
  readonly size: number;
  /** The number of records that a broken disk has changed: an operator has to look for these settlements in the file. */
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
/** All outbox files of a folder, also those of other processes. */
export const outboxFiles = (folder: string): readonly string[] => readdirSync(folder).filter((name) => fileName.test(name));

/** Claims the first free file to append to, and all files that ended processes left behind. */
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
    throw new StorageError(`The outbox in ${folder} cannot be opened: ${reason}. Check the disk and the permissions.`, {
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
    throw new AggregateError(refused, `${refused.length} settlements could not be applied and stay in the outbox; ${applied} were.`);
  }
  return applied;
}
