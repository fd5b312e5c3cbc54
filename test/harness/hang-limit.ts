/** How long a test waits for what has to come; `expect.poll` has it from vitest.config.ts. It only ends a test that hangs: none may depend on what happens in less. */
export const hangLimitMs = 60_000;
