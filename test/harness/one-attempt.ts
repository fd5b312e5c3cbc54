/** What most tests want of routing: each request is asked once, and no fault of a fake vendor speaks against the next one. Routing has tests of its own. */
export const oneAttempt = { routing: { maxAttempts: 1, breaker: { failures: 1000 } } };
