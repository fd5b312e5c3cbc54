/** What most tests want of a gateway: each request is asked once, no fault of a fake vendor speaks against the next one, and a machine that is busy with tests sheds nothing. Routing and overload have tests of their own. */
export const calm = { shed: { loopDelayMs: 0 } };

/** An upstream hears at once that its caller has left, as where calls are not paid for: what hears answers out has tests of its own. */
const abrupt = (upstreams: object): object =>
  Object.fromEntries(
    Object.entries(upstreams).map(([name, upstream]) => [
      name,
      upstream?.kind === 'simulator' ? upstream : { onClientGone: 'abort', ...upstream },
    ]),
  );

/** Settings as in modelgate.yaml; what they say themselves goes before. */
export const withOneAttempt = (settings: Record<string, unknown>): Record<string, unknown> => ({
  routing: { maxAttempts: 1, breaker: { failures: 1000 } },
  ...settings,
  ...(typeof settings.upstreams === 'object' && settings.upstreams !== null && { upstreams: abrupt(settings.upstreams) }),
  server: { ...calm, ...(typeof settings.server === 'object' ? settings.server : {}) },
});
