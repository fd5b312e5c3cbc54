/**
 * Values of chat vendors that OpenAI does not have (docs/decisions/0088). The contract checks a body in which they are replaced by values that it knows;
 * the upstream that takes them is sent the body as it was.
 */
import { type Fields, isFields } from '../../../contract/rule.ts';
import { type CallCode, GatewayError, shown } from '../../errors.ts';

/** Words that an upstream accepts, by the field that they stand in. */
export interface AcceptedValues extends Readonly<Record<ListedPlace, readonly string[]>> {
  readonly untypedTools: boolean;
}
type ListedPlace = 'tools' | 'parts' | 'toolChoices' | 'responseFormats' | 'serviceTiers' | 'reasoningEfforts';
type Place = keyof AcceptedValues;

/** A value that the contract does not know, and where it is: `messages[2].content[0].type`. */
export interface VendorValue {
  readonly place: Place;
  readonly value: string;
  readonly param: string;
}

/** A body for the contract to check, and what was replaced in it. */
interface Checkable {
  readonly body: Fields;
  readonly found: readonly VendorValue[];
}

/** Replaces the values that are accepted. Without any, the body is the one that was given. */
export function withStandIns(body: Fields, accepts: AcceptedValues): Checkable {
  const found: VendorValue[] = [];
  const take = (place: ListedPlace, value: unknown, param: string): boolean => {
    if (typeof value !== 'string' || !accepts[place].includes(value)) return false;
    found.push({ place, value, param });
    return true;
  };
  const part = (each: unknown, param: string): unknown =>
    isFields(each) && take('parts', each.type, `${param}.type`) ? { type: 'text', text: '' } : each;
  const message = (each: unknown, index: number): unknown =>
    isFields(each) && Array.isArray(each.content)
      ? { ...each, content: each.content.map((one, at) => part(one, `messages[${index}].content[${at}]`)) }
      : each;
  const tool = (each: unknown, index: number): unknown => {
    if (!isFields(each)) return each;
    if (take('tools', each.type, `tools[${index}].type`)) return { type: 'function', function: { name: `tool_${index}` } };
    if (!accepts.untypedTools || each.type !== undefined) return each;
    found.push({ place: 'untypedTools', value: '', param: `tools[${index}].type` });
    return { ...each, type: 'function' };
  };
  const choice = isFields(body.tool_choice) ? body.tool_choice.type : body.tool_choice;
  const format = isFields(body.response_format) ? body.response_format.type : undefined;
  const changes = {
    ...(Array.isArray(body.messages) && { messages: body.messages.map(message) }),
    ...(Array.isArray(body.tools) && { tools: body.tools.map(tool) }),
    ...((take('toolChoices', choice, 'tool_choice') || take('tools', choice, 'tool_choice.type')) && { tool_choice: 'auto' }),
    ...(take('responseFormats', format, 'response_format.type') && { response_format: { type: 'text' } }),
    ...(take('serviceTiers', body.service_tier, 'service_tier') && { service_tier: 'auto' }),
    ...(take('reasoningEfforts', body.reasoning_effort, 'reasoning_effort') && { reasoning_effort: 'low' }),
  };
  return { body: found.length === 0 ? body : { ...body, ...changes }, found };
}

/** Whether an upstream takes the value. */
const takes = (accepts: AcceptedValues | undefined, { place, value }: Pick<VendorValue, 'place' | 'value'>): boolean =>
  accepts !== undefined && (place === 'untypedTools' ? accepts.untypedTools : accepts[place].includes(value));

interface Taking {
  readonly accepts?: AcceptedValues;
  readonly quirks?: { readonly accepts?: AcceptedValues | undefined } | undefined;
}

/** Throws 400 when a candidate does not take a value that another candidate of its model takes. */
export function checkVendorValues(body: Fields, { accepts, quirks }: Taking): void {
  if (accepts === undefined) return;
  const wrong = withStandIns(body, accepts).found.find((value) => !takes(quirks?.accepts, value));
  if (!wrong) return;
  throw new GatewayError<CallCode>('unsupported_value', {
    param: wrong.param,
    message: `'${shown(wrong.param)}' cannot be honoured: an upstream of this model does not have this value.`,
  });
}
