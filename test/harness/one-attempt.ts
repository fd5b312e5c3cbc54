/** What most tests want of a gateway: each request is asked once, no fault of a fake vendor speaks against the next one, and a machine that is busy with tests sheds nothing. Routing and overload have tests of their own. */
const calm = { shed: { loopDelayMs: 0 } };

/** Settings as in modelgate.yaml; what they say themselves goes before. */
export const withOneAttempt = (settings: Record<string, unknown>): Record<string, unknown> => ({
  routing: { maxAttempts: 1, breaker: { failures: 1000 } },
  ...settings,
  server: { ...calm, ...(typeof settings.server === 'object' ? settings.server : {}) },
});
