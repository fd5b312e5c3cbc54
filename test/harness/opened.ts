/** Opens what the tests of a file share before the first of them, and closes it after the last. */
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { type Fake, openFake } from '../fakes/upstream.ts';

/**
 * The object returned stands for what is opened, and can be used in hooks and tests. What was opened last is closed first. `reset` runs
 * before each test.
 */
export function useOpened<Part extends { close(): unknown }>(open: () => Promise<Part>, reset?: (part: Part) => void): Part {
  let part: Part | undefined;
  const get = (): Part => {
    if (!part) throw new Error('Not open yet: use it in a hook or a test.');
    return part;
  };
  beforeAll(async () => {
    part = await open();
  });
  if (reset) beforeEach(() => reset(get()));
  afterAll(async () => {
    await part?.close();
  });
  return new Proxy({} as Part, {
    get: (_, name) => {
      const value: unknown = Reflect.get(get(), name);
      return typeof value === 'function' ? value.bind(get()) : value;
    },
    ownKeys: () => Reflect.ownKeys(get()),
    getOwnPropertyDescriptor: (_, name) => {
      const found = Reflect.getOwnPropertyDescriptor(get(), name);
      return found && { ...found, configurable: true };
    },
  });
}

/** A fake provider without the scripts and the requests of earlier tests. */
export const useFake = (...order: Parameters<typeof openFake>): Fake =>
  useOpened(
    () => openFake(...order),
    (fake) => fake.clear(),
  );
