/** Replaces or rejects values of a chat request that the contract doesn't know but some upstreams accept. */

import { type CallCode, GatewayError, toPrintable } from '../../primitives/errors.ts';
import { type Fields, isFields } from '../../primitives/fields.ts';

/** Extra values that an upstream accepts, per field. */
export interface AcceptedValues extends Readonly<Record<AcceptedList, readonly string[]>> {
  readonly untypedTools: boolean;
}

type AcceptedList = 'tools' | 'parts' | 'toolChoices' | 'serviceTiers';

type AcceptedField = keyof AcceptedValues;

/** A value outside the contract, and its path: `messages[2].content[0].type`. */
interface ProviderValue {
  readonly place: AcceptedField;
  readonly value: string;
  readonly param: string;
}

/** Replaces accepted values with placeholders that the contract knows. Returns the same body if it has none. */
export function withPlaceholders(body: Fields, accepts: AcceptedValues): { body: Fields; found: readonly ProviderValue[] } {
  const providerValues: ProviderValue[] = [];
  const replaceAccepted = (field: AcceptedList, value: unknown, param: string): boolean => {
    if (typeof value !== 'string' || !accepts[field].includes(value)) return false;
    providerValues.push({ place: field, value, param });
    return true;
  };
  const replacePart = (each: unknown, param: string): unknown =>
    isFields(each) && replaceAccepted('parts', each.type, `${param}.type`) ? { type: 'text', text: '' } : each;
  const replaceMessage = (each: unknown, index: number): unknown =>
    isFields(each) && Array.isArray(each.content)
      ? { ...each, content: each.content.map((one, at) => replacePart(one, `messages[${index}].content[${at}]`)) }
      : each;
  const replaceTool = (each: unknown, index: number): unknown => {
    if (!isFields(each)) return each;
    if (replaceAccepted('tools', each.type, `tools[${index}].type`)) return { type: 'function', function: { name: `tool_${index}` } };
    if (!accepts.untypedTools || each.type !== undefined) return each;
    providerValues.push({ place: 'untypedTools', value: '', param: `tools[${index}].type` });
    return { ...each, type: 'function' };
  };
  const choice = isFields(body.tool_choice) ? body.tool_choice.type : body.tool_choice;
  const changes = {
    ...(Array.isArray(body.messages) && { messages: body.messages.map(replaceMessage) }),
    ...(Array.isArray(body.tools) && { tools: body.tools.map(replaceTool) }),
    ...((replaceAccepted('toolChoices', choice, 'tool_choice') || replaceAccepted('tools', choice, 'tool_choice.type')) && {
      tool_choice: 'auto',
    }),
    ...(replaceAccepted('serviceTiers', body.service_tier, 'service_tier') && { service_tier: 'auto' }),
  };
  return { body: providerValues.length === 0 ? body : { ...body, ...changes }, found: providerValues };
}

/** True if an upstream accepts the value. */
const isAcceptedValue = (accepts: AcceptedValues | undefined, { place: field, value }: Pick<ProviderValue, 'place' | 'value'>): boolean =>
  accepts !== undefined && (field === 'untypedTools' ? accepts.untypedTools : accepts[field].includes(value));

interface AcceptingUpstream {
  readonly accepts?: AcceptedValues;
  readonly quirks?: { readonly accepts?: AcceptedValues | undefined } | undefined;
}

/** Throws 400 if an upstream doesn't accept a value that another upstream of its model accepts. */
export function checkProviderValues(body: Fields, { accepts, quirks }: AcceptingUpstream): void {
  if (accepts === undefined) return;
  const rejectedValue = withPlaceholders(body, accepts).found.find((value) => !isAcceptedValue(quirks?.accepts, value));
  if (!rejectedValue) return;
  throw new GatewayError<CallCode>('unsupported_value', {
    param: rejectedValue.param,
    message: `'${toPrintable(rejectedValue.param)}' is not supported: one of this model's upstreams doesn't accept this value.`,
  });
}
