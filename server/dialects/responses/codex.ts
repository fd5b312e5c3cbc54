/** What the gateway has to know of Codex: its timer for a silent stream runs between events and does not hear comments. */

/** By what it says of itself: `originator: codex_exec`, `user-agent: codex_cli_rs/0.169.0 (…)`. */
export function isCodex(headers: Readonly<Record<string, string | readonly string[] | undefined>>): boolean {
  const { originator, 'user-agent': agent } = headers;
  return [originator, agent].some((name) => typeof name === 'string' && /^codex(?![a-z])/i.test(name));
}
