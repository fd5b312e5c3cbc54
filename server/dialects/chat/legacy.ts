/** The older form of tools on chat: `functions` asked, `function_call` answered. */
import type { Fields } from '../../../contract/rule.ts';

/** Whoever offers `tools` too reads the newer form. */
export function isLegacy(request: Fields): boolean {
  const hasSome = (list: unknown) => Array.isArray(list) && list.length > 0;
  return hasSome(request.functions) && !hasSome(request.tools);
}
