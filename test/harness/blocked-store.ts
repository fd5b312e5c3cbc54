/** Makes a step of a store wait or fail, so that a test sees what does not happen before the step is done, and what happens without it. */
import { onTestFinished } from 'vitest';
import { StorageError } from '../../server/store/errors.ts';

export interface BlockedStep {
  /** Resolves when the step is asked for. */
  readonly asked: Promise<void>;
  /** Lets the step, and all that come after, run. */
  release(): void;
}

type StoreWith<Step extends string> = { [Name in Step]: (...order: never[]) => unknown };

/** Until `release`, or the end of the test, each call of this step waits. The store behind it is the real one. */
export function blockStep<Step extends string>(
  store: { [Name in Step]: (...order: never[]) => Promise<unknown> },
  step: Step,
): BlockedStep {
  const own = store[step];
  const { promise: asked, resolve: tell } = Promise.withResolvers<void>();
  const { promise: gate, resolve: release } = Promise.withResolvers<void>();
  store[step] = async (...order) => {
    tell();
    await gate;
    return own.apply(store, order);
  };
  onTestFinished(() => {
    release();
    store[step] = own;
  });
  return { asked, release };
}

/** Until the function that it returns is called, or the end of the test, each call of this step fails as on a store that is down. */
export function failStep<Step extends string>(store: StoreWith<Step>, step: Step): () => void {
  const own = store[step];
  const mend = (): void => {
    store[step] = own;
  };
  store[step] = () => Promise.reject(new StorageError('the store is down'));
  onTestFinished(mend);
  return mend;
}
