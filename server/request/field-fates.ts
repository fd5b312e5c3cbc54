/**
 * Says what happens to each field of a request at an upstream: forwarded, translated, dropped, or rejected. It writes calls that each set a field,
 * as the gateway would send them, so that there is no second list beside the translation.
 */
import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import type { OperationFields } from '../../contract/protocol.ts';
import type { Candidate } from '../config/config.ts';
import { topField, withoutPositions } from '../dialects/turn/unsent-fields.ts';
import { isSpoken } from '../dialects/upstream-sides.ts';
import { jsonBody } from '../dialects/wire/json-body.ts';
import { GatewayError } from '../errors.ts';
import { type Fields, isFields } from '../primitives/fields.ts';
import type { Operation } from '../upstreams/upstream.ts';
import { openProtocolChoice, openTranscoder, protocolOf } from './transcoder.ts';

interface Probes {
  /** A call without any option. */
  readonly plain: Fields;
  /** Calls about one field: it, and the others that it needs. */
  readonly calls: readonly { readonly field: string; readonly adds: Fields }[];
}

/** A call as it goes out. */
interface Written {
  readonly protocol: OperationFields['protocol'];
  readonly path: string;
  readonly fields: Fields;
  readonly ignored: readonly string[];
}

let read: Readonly<Record<Operation, Probes>> | null = null;
// Read at the first question, which few gateways get.
const readProbes = (): Readonly<Record<Operation, Probes>> =>
  (read ??= JSON.parse(readFileSync(new URL('../../docs/generated/field-probes.json', import.meta.url), 'utf8')));

/** Only what is configured: what a provider rejected lately isn't a property of the model. */
const choice = openProtocolChoice();

/** The operations that the upstream can serve. They follow from the configuration, so they are worked out once. */
export function fieldsAt(candidate: Candidate): readonly OperationFields[] {
  const known = found.get(candidate);
  if (known) return known;
  const all = Object.entries(readProbes()).flatMap(([name, probes]) => {
    // The names in the file are those of the operations.
    const operation = name as Operation;
    const plain = write(candidate, operation, probes.plain);
    // The other kind of model, or images that can't be edited.
    return plain instanceof GatewayError
      ? []
      : [{ operation, protocol: plain.protocol, ...sort(candidate, operation, { ...probes, sent: plain }) }];
  });
  found.set(candidate, all);
  return all;
}

const found = new WeakMap<Candidate, readonly OperationFields[]>();

/** What goes out, or the error of a call that is rejected. */
function write(candidate: Candidate, operation: Operation, fields: Fields): Written | GatewayError {
  const parsed = { operation, body: jsonBody(fields) };
  const spoken = choice.narrow(candidate, parsed);
  const own = protocolOf(parsed);
  const head = () => ({ id: '', createdAt: 0, model: candidate.id, request: fields, newId: (prefix: string) => prefix, now: () => 0 });
  try {
    const { body, path = '', ignored } = openTranscoder(parsed, spoken, head);
    const written: unknown = body.kind === 'json' ? JSON.parse(body.bytes.toString()) : body.value;
    const protocol = spoken.protocols.includes(own) ? own : (spoken.protocols.find(isSpoken) ?? own);
    return { protocol, path, fields: isFields(written) ? written : {}, ignored };
  } catch (thrown) {
    if (thrown instanceof GatewayError && thrown.status === 400) return thrown;
    throw thrown;
  }
}

type Fate = 'forwarded' | 'translated' | 'dropped' | 'rejected';

function sort(candidate: Candidate, operation: Operation, { plain, calls, sent }: Probes & { readonly sent: Written }) {
  const fates: Readonly<Record<Fate, Set<string>>> = {
    forwarded: new Set(),
    translated: new Set(),
    dropped: new Set(),
    rejected: new Set(),
  };
  const same: Fields = { ...plain, model: candidate.id };
  for (const [name, value] of Object.entries(same))
    fates[isDeepStrictEqual(sent.fields[name], value) ? 'forwarded' : 'translated'].add(name);
  for (const { field, adds } of calls) {
    const { [field]: value, ...others } = { ...same, ...adds };
    const written = write(candidate, operation, { ...others, [field]: value });
    if (written instanceof GatewayError) {
      fates.rejected.add(isWithin(field, written.param) ? withoutPositions(written.param) : field);
      continue;
    }
    for (const name of written.ignored) if (isWithin(field, name)) fates.dropped.add(withoutPositions(name));
    const without = write(candidate, operation, others);
    if (isDeepStrictEqual(written.fields[field], value)) fates.forwarded.add(field);
    else if (without instanceof GatewayError || !isSame(written, without)) fates.translated.add(field);
  }
  const listed = (fate: Fate): string[] => [...fates[fate]].sort();
  return { forwarded: listed('forwarded'), translated: listed('translated'), dropped: listed('dropped'), rejected: listed('rejected') };
}

const isSame = (one: Written, other: Written): boolean => one.path === other.path && isDeepStrictEqual(one.fields, other.fields);

const isWithin = (field: string, path: string | null): path is string => path !== null && topField(path) === field;
