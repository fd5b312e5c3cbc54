/** How long a test waits for what has to come. It only ends a test that hangs: none may depend on what happens in less. */

export const hangLimitMs = 60_000;

/** For `vi.waitFor`, which gives up after a second unless told; `expect.poll` has it from the configuration. */
export const eventually = { timeout: hangLimitMs, interval: 20 };
