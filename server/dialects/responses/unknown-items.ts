/**
 * Items of the input whose type the contract does not have. Vendors add kinds of items to their answers, and clients send whole answers back: an upstream of
 * the same protocol is sent them as they came. The contract checks a body with stand-ins for them.
 */
import { InputItem } from '../../../contract/response-items.ts';
import { type Fields, isFields } from '../../../contract/rule.ts';

const known: ReadonlySet<unknown> = InputItem._zod.propValues.type ?? new Set();

const isUnknownItem = (item: unknown): boolean =>
  isFields(item) && typeof item.type === 'string' && item.type !== '' && !known.has(item.type);

export const hasUnknownItems = ({ input }: Fields): boolean => Array.isArray(input) && input.some(isUnknownItem);

/** An item that may stand anywhere, and that the contract does not look into. */
const placeholder = { type: 'configuration_update' };

export const withStandInItems = (body: Fields): Fields =>
  Array.isArray(body.input) && hasUnknownItems(body)
    ? { ...body, input: body.input.map((item: unknown) => (isUnknownItem(item) ? placeholder : item)) }
    : body;
