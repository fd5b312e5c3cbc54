/** The envelopes in which vendors and clouds send an error, read in one place: what is told is the same, whatever the protocol. */
import { type Fields, isFields } from '../../contract/rule.ts';

/** The error of a body; empty for HTML, for no body, and for anything else that is no error. */
export function readErrorBody(body: string): Fields {
  try {
    return readEnvelope(JSON.parse(body));
  } catch {
    // The status decides.
    return {};
  }
}

/**
 * Reads `{error: {…}}`. Clouds send a list of one, or `{message}` with a capital letter, too; local servers send the error flat, as a
 * string, or as a list of faults with their places.
 */
export function readEnvelope(given: unknown): Fields {
  const value: unknown = Array.isArray(given) && given.length === 1 ? given[0] : given;
  if (!isFields(value) || Array.isArray(value)) return {};
  const { error, message = value.Message, detail } = value;
  if (isFields(error)) return error;
  if (typeof error === 'string') return { ...value, message: error };
  const inner = isFields(message) && !Array.isArray(message) ? message.detail : message;
  return { ...value, ...readDetail(detail ?? inner) };
}

function readDetail(detail: unknown): Fields {
  if (!Array.isArray(detail)) return { message: detail };
  const faults = detail.filter(isFields);
  const [first] = faults;
  const place = Array.isArray(first?.loc) ? first.loc.filter((part) => part !== 'body') : [];
  const param = place.map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`)).join('');
  const told = faults.flatMap(({ msg }) => (typeof msg === 'string' ? [msg] : [])).join(' ');
  return { message: param === '' ? told : `${param.slice(1)}: ${told}`, param: param.slice(1) };
}

/** The vendor's word for the error. `header`: where AWS says it, `Name:http://…`; in bodies it may stand behind a namespace and `#`. */
export function kindOf({ type, __type, status }: Fields, header?: string): string | null {
  const said = [header, type, __type, status].find((one): one is string => typeof one === 'string' && one !== '');
  return said?.split(':')[0]?.split('#').at(-1) ?? null;
}

/** Words of AWS that say more than the status beside them: whose fault it is, and whether waiting helps. */
const statusOfKind = new Map([
  ...['UnrecognizedClientException', 'ExpiredTokenException', 'InvalidSignatureException', 'AccessDeniedException'].map(
    (kind) => [kind, 401] as const,
  ),
  ...['ThrottlingException', 'ServiceQuotaExceededException'].map((kind) => [kind, 429] as const),
  ...['ModelNotReadyException', 'ServiceUnavailableException'].map((kind) => [kind, 503] as const),
]);

/** The status by which the error is classified. */
export const statusBy = (kind: string | null, status: number): number => statusOfKind.get(kind ?? '') ?? status;
