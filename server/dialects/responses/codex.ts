/** Detects Codex, whose timer for a silent stream ignores comments. */

/** By its headers: `originator: codex_exec`, `user-agent: codex_cli_rs/0.169.0 (…)`. */
export function isCodex(headers: Readonly<Record<string, string | readonly string[] | undefined>>): boolean {
  const { originator, 'user-agent': agent } = headers;
  return [originator, agent].some((name) => typeof name === 'string' && /^codex(?![a-z])/i.test(name));
}
