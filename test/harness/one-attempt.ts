/** Settings for most tests: one attempt for each request, no circuit breaker, no load shedding. Routing and overload have their own tests. */
export const calm = { overload: { loopDelayMs: 0 } };

/** Aborts the upstream request when the caller disconnects. Reading an answer to its end after a disconnect has its own tests. */
const abrupt = (upstreams: object): object =>
  Object.fromEntries(
    Object.entries(upstreams).map(([name, upstream]) => [
      name,
      upstream?.kind === 'simulator' ? { eventDelayMs: 0, ...upstream } : { onClientDisconnect: 'abort', ...upstream },
    ]),
  );

/** Adds these defaults to settings as in modelgate.yaml; the settings take precedence. */
export const withOneAttempt = (settings: Record<string, unknown>): Record<string, unknown> => ({
  routing: { maxAttempts: 1, breaker: { failures: 1000 } },
  ...settings,
  ...(typeof settings.upstreams === 'object' && settings.upstreams !== null && { upstreams: abrupt(settings.upstreams) }),
  server: { ...calm, ...(typeof settings.server === 'object' ? settings.server : {}) },
});
