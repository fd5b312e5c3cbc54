/** Writes the response to a message with `generate: false`. Codex sends one after it connects, and continues from its ID. No upstream is called. */

import { contract } from '../../../contract/index.ts';
import { assertCanCall } from '../../access/permissions.ts';
import type { Principal } from '../../access/principal.ts';
import { createUnknownModelError } from '../../call/pipeline.ts';
import type { Gateway } from '../../gateway/gateway.ts';
import type { Fields } from '../../primitives/fields.ts';
import { randomHex } from '../../primitives/random-hex.ts';
import { NO_PROGRESS, type ResponseProgress, readEchoedSettings } from '../../protocols/responses/echoed-settings.ts';
import { writeResponse } from '../../protocols/responses/write-response.ts';
import { writeEventFrame } from '../../protocols/wire/frames.ts';
import { explainIssues } from '../http/explain-issues.ts';

/** Throws 400 for an invalid request, 404 for an unknown model, and 403 for one that the key can't call. */
export function writeWarmUp({ catalog }: Gateway, principal: Principal, fields: Fields): { readonly id: string; readonly frames: Buffer } {
  const { error } = contract.createResponse.body.safeParse(fields);
  if (error) throw explainIssues(error.issues, fields);
  const model = catalog.find(String(fields.model));
  if (!model) throw createUnknownModelError(String(fields.model), principal, catalog);
  assertCanCall(principal, model, 'createResponse');
  const now = (): number => Math.floor(Date.now() / 1000);
  const newId = (prefix: string): string => `${prefix}_${randomHex(24)}`;
  const id = newId('resp');
  const head = { id, createdAt: now(), model: model.id, request: { ...fields, store: false }, newId, now };
  const settings = readEchoedSettings(head);
  const write = (sequence: number, event: string, progress: Partial<ResponseProgress>): Buffer => {
    const response = writeResponse(head, settings, { ...NO_PROGRESS, ...progress });
    const type = `response.${event}`;
    return writeEventFrame<Fields>(type, { type, sequence_number: sequence, response });
  };
  const frames = [
    write(0, 'created', {}),
    write(1, 'in_progress', {}),
    write(2, 'completed', { status: 'completed', completed_at: now(), usage: { input: 0, cached: 0, output: 0, reasoning: 0 } }),
  ];
  return { id, frames: Buffer.concat(frames) };
}
