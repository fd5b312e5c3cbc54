/** The older form of tools on chat: the request has `functions`, the answer has `function_call`. */
import type { Fields } from '../../../contract/rule.ts';

/** Whether the answer has the older form; a caller who offers `tools` too gets the newer one. */
export function isLegacy(request: Fields): boolean {
  const hasSome = (list: unknown) => Array.isArray(list) && list.length > 0;
  return hasSome(request.functions) && !hasSome(request.tools);
}
