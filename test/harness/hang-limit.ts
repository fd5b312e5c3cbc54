/** Milliseconds that a test waits for an event that must come; `expect.poll` gets it from vitest.config.ts. It only ends hanging tests: no test may depend on its length. */
export const hangLimitMs = 60_000;
