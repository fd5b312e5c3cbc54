/** Shows and changes one model or upstream in the configuration file. */

import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { ConfigEdit, ConfigText, ConfigTextQuery } from '../../../contract/admin/configuration.ts';
import { computeDigest, readConfigText } from '../../config/config-document.ts';
import { ConfigError } from '../../config/config-error.ts';
import { type EntryName, readEntryText, replaceEntryText } from '../../config/entry-text.ts';
import { suggestEntry } from '../../config/suggest-entry.ts';
import { findWriteError, writeConfigText } from '../../config/write-config-text.ts';
import type { RejectedReload, ReloadCheck, Reloader } from '../../gateway/reload.ts';
import { createConflictError } from './errors.ts';
import { listOtherNodes } from './node-report.ts';
import { type Operations, toAuditEntry } from './operations.ts';

type TextQuery = z.infer<typeof ConfigTextQuery>;
type Edit = z.infer<typeof ConfigEdit>;

export async function getConfigText(operations: Operations, query: TextQuery): Promise<ConfigText> {
  const { section, name } = query;
  const { file } = operations.config;
  const content = readConfigText(file);
  const text = content === null ? null : readEntryText(content, query);
  return {
    object: 'config_text',
    section,
    name,
    exists: text !== null,
    text: text ?? suggestText(operations, query),
    digest: content === null ? null : computeDigest(content),
    refusal: (await findRefusal(operations)) ?? null,
  };
}

function suggestText({ config: { upstreams } }: Operations, query: TextQuery): string {
  const chosen = query.upstream === undefined ? undefined : upstreams[query.upstream];
  return suggestEntry(query, { upstreams: chosen ? [chosen] : Object.values(upstreams), kind: query.kind });
}

/** Returns why the file can't be changed here. */
async function findRefusal(operations: Operations): Promise<string | undefined> {
  const { file, server } = operations.config;
  if (file === null) return 'The gateway runs without a configuration file. Write one, and start the gateway with --config.';
  // Workers of one machine read the same file.
  if ((await listOtherNodes(operations)).length >= server.workers)
    return 'Other gateways use this database and may have their own copies of the file. Change the file of each, and reload them.';
  const code = findWriteError(file);
  return code === undefined ? undefined : `The gateway can't write ${file} (${code}). Change it where it's kept, and reload it.`;
}

/** Rejected edits have the shape of rejected reloads. */
export type EditOutcome = { readonly kind: 'edited'; readonly check: ReloadCheck } | RejectedReload;

/** Checks the edit. Without `dry_run`, writes the file and reloads it; if the reload fails, the file gets its previous content. */
export async function editConfigText(
  operations: Operations,
  reloader: Reloader,
  edit: Edit,
  request: FastifyRequest,
): Promise<EditOutcome> {
  const refusal = await findRefusal(operations);
  const { file } = operations.config;
  const previous = readConfigText(file);
  if (refusal !== undefined || file === null || previous === null) throw createConflictError(refusal ?? `${file} can't be read.`);
  if (edit.digest !== undefined && edit.digest !== computeDigest(previous)) return toOtherFile(file);
  const next = tryReplace(previous, edit);
  if (typeof next !== 'string') return edit.dry_run ? { kind: 'edited', check: { ...emptyCheck, problems: next.problems } } : next;
  const check = await reloader.check(next);
  if (edit.dry_run) return { kind: 'edited', check };
  if (check.problems.length > 0) return { kind: 'rejected', reason: 'wrong', problems: check.problems };
  if (check.needsRestart.length > 0)
    return { kind: 'rejected', reason: 'restart', problems: check.needsRestart.map(toRestartProblem(file)) };
  const { section, name, text } = edit;
  const details = { section, name, removed: text === null };
  await operations.access.store.addAuditEntry(toAuditEntry(operations, request, { action: 'config.edit', target: 'config', details }));
  writeConfigText(file, next);
  const outcome = await reloader.reload('admin', undefined, computeDigest(next));
  if (outcome.kind === 'reloaded') return { kind: 'edited', check };
  writeConfigText(file, previous);
  return outcome;
}

const emptyCheck: ReloadCheck = { digest: null, added: [], removed: [], changed: [], needsRestart: [], problems: [] };

function tryReplace(previous: string, { text, ...entry }: EntryName & Pick<Edit, 'text'>): string | RejectedReload {
  try {
    return replaceEntryText(previous, entry, text);
  } catch (error) {
    if (error instanceof ConfigError) return { kind: 'rejected', reason: 'wrong', problems: error.problems };
    throw error;
  }
}

const toOtherFile = (file: string): RejectedReload => ({
  kind: 'rejected',
  reason: 'other',
  problems: [
    { where: file, key: '', message: 'The file has changed since it was read', remedy: 'Nothing was written. Load the entry again.' },
  ],
});

const toRestartProblem = (file: string) => (key: string) => ({
  where: file,
  key,
  message: "can't change while the gateway is running",
  remedy: 'Change it in the file, and restart the gateway.',
});
