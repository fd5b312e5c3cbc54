/**
 * Lists how an upstream gets each field of a request: forwarded, translated, dropped, or rejected. To find out, it translates a sample call per
 * field, so there is no second list to maintain.
 */
import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import type { OperationFields } from '../../contract/protocol.ts';
import type { Candidate } from '../config/model-catalog.ts';
import { GatewayError } from '../primitives/errors.ts';
import { type Fields, isFields } from '../primitives/fields.ts';
import { getTopField, withoutIndexes } from '../protocols/canonical/dropped-fields.ts';
import { isUpstreamProtocol } from '../protocols/upstream-protocols.ts';
import { createJsonBody } from '../protocols/wire/json-body.ts';
import type { Operation } from '../providers/upstream.ts';
import { openProtocolChoice } from './protocol-choice.ts';
import { getProtocol, openTranscoder } from './transcoder.ts';

interface FieldProbes {
  /** A request without optional fields. */
  readonly plain: Fields;
  /** One request per field: `adds` contains the field and any other fields it needs. */
  readonly calls: readonly { readonly field: string; readonly adds: Fields }[];
}

/** A request as written for the upstream. */
interface WrittenCall {
  readonly protocol: OperationFields['protocol'];
  readonly path: string;
  readonly fields: Fields;
  readonly dropped: readonly string[];
}

let read: Readonly<Record<Operation, FieldProbes>> | null = null;
// Read on first use, which few gateways need.
const readProbes = (): Readonly<Record<Operation, FieldProbes>> =>
  (read ??= JSON.parse(readFileSync(new URL('../../docs/generated/field-probes.json', import.meta.url), 'utf8')));

/** Uses only configured rules: recent provider rejections aren't a property of the model. */
const choice = openProtocolChoice();

/** Lists the operations that the upstream can serve. They depend only on the configuration, so the result is cached. */
export function listFieldSupport(candidate: Candidate): readonly OperationFields[] {
  const known = found.get(candidate);
  if (known) return known;
  const all = Object.entries(readProbes()).flatMap(([name, probes]) => {
    // The names in the file are operation names.
    const operation = name as Operation;
    return listRoutes(candidate, operation).flatMap(([calls, route]) => {
      const plain = write(route, operation, probes.plain);
      // The model doesn't support this operation, for example image edits.
      return plain instanceof GatewayError
        ? []
        : [{ operation, protocol: plain.protocol, calls, ...classifyFields(route, operation, { ...probes, sent: plain }) }];
    });
  });
  found.set(candidate, all);
  return all;
}

/** Lists the protocols used for an operation: some models accept tools over the Responses API only. */
function listRoutes(candidate: Candidate, operation: Operation): readonly (readonly [OperationFields['calls'], Candidate])[] {
  const { protocols, responsesOnly } = candidate;
  const isSplit = operation === 'createChatCompletion' && protocols.includes('chat') && protocols.includes('responses');
  if (!isSplit || (responsesOnly !== 'tools' && responsesOnly !== 'tools-with-reasoning')) return [['all', candidate]];
  return [
    ['others', { ...candidate, protocols: ['chat'] }],
    [responsesOnly, { ...candidate, protocols: ['responses'] }],
  ];
}

const found = new WeakMap<Candidate, readonly OperationFields[]>();

/** Returns the upstream request, or the error if the request is rejected. */
function write(candidate: Candidate, operation: Operation, fields: Fields): WrittenCall | GatewayError {
  const parsed = { operation, body: createJsonBody(fields) };
  const narrowed = choice.narrow(candidate, parsed);
  const own = getProtocol(parsed);
  const createHead = () => ({
    id: '',
    createdAt: 0,
    model: candidate.id,
    request: fields,
    newId: (prefix: string) => prefix,
    now: () => 0,
  });
  try {
    const { body, path = '', dropped } = openTranscoder(parsed, narrowed, { createHead, sealSummary: (summary) => summary });
    const written: unknown = body.kind === 'json' ? JSON.parse(body.bytes.toString()) : body.value;
    const protocol = narrowed.protocols.includes(own) ? own : (narrowed.protocols.find(isUpstreamProtocol) ?? own);
    return { protocol, path, fields: isFields(written) ? written : {}, dropped };
  } catch (thrown) {
    if (thrown instanceof GatewayError && thrown.status === 400) return thrown;
    throw thrown;
  }
}

type FieldSupport = 'forwarded' | 'translated' | 'dropped' | 'rejected';

function classifyFields(candidate: Candidate, operation: Operation, { plain, calls, sent }: FieldProbes & { readonly sent: WrittenCall }) {
  const fieldsBySupport: Readonly<Record<FieldSupport, Set<string>>> = {
    forwarded: new Set(),
    translated: new Set(),
    dropped: new Set(),
    rejected: new Set(),
  };
  const same: Fields = { ...plain, model: candidate.id };
  for (const [name, value] of Object.entries(same))
    fieldsBySupport[isDeepStrictEqual(sent.fields[name], value) ? 'forwarded' : 'translated'].add(name);
  for (const { field, adds } of calls) {
    const { [field]: value, ...others } = { ...same, ...adds };
    const written = write(candidate, operation, { ...others, [field]: value });
    if (written instanceof GatewayError) {
      fieldsBySupport.rejected.add(isWithin(field, written.param) ? withoutIndexes(written.param) : field);
      continue;
    }
    for (const name of written.dropped) if (isWithin(field, name)) fieldsBySupport.dropped.add(withoutIndexes(name));
    const without = write(candidate, operation, others);
    if (isDeepStrictEqual(written.fields[field], value)) fieldsBySupport.forwarded.add(field);
    else if (without instanceof GatewayError || !isSame(written, without)) fieldsBySupport.translated.add(field);
  }
  const listFields = (fate: FieldSupport): string[] => [...fieldsBySupport[fate]].sort();
  return {
    forwarded: listFields('forwarded'),
    translated: listFields('translated'),
    dropped: listFields('dropped'),
    rejected: listFields('rejected'),
  };
}

const isSame = (one: WrittenCall, other: WrittenCall): boolean => one.path === other.path && isDeepStrictEqual(one.fields, other.fields);

const isWithin = (field: string, path: string | null): path is string => path !== null && getTopField(path) === field;
