/** Makes a step of a store wait, so that a test sees what does not happen before the step is done. */
import { onTestFinished } from 'vitest';

export interface BlockedStep {
  /** Resolves when the step is asked for. */
  readonly asked: Promise<void>;
  /** Lets the step, and all that come after, run. */
  release(): void;
}

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
