/** The first call for each tool, and the connection that recipes need, from the portal's model list. */

import type { PortalModel } from '../../../../contract/portal/reads.ts';
import { codex } from '../../../connect/recipes/agents.ts';
import { writeDocument } from '../../../connect/recipes/document.ts';
import { writeCurl, writeNode, writePython } from '../../../connect/recipes/programs.ts';
import { type Connection, toToolModels } from '../../../connect/recipes/recipe.ts';

export const tools = ['curl', 'python', 'node', 'codex'] as const;
export type Tool = (typeof tools)[number];
export const toolNames: Readonly<Record<Tool, string>> = { curl: 'curl', python: 'Python', node: 'JavaScript', codex: 'Codex' };

const writers: Readonly<Record<Tool, (connection: Connection) => string>> = {
  curl: writeCurl,
  python: writePython,
  node: writeNode,
  codex: (connection) =>
    codex
      .files(connection)
      .map((file) => `# ${file.path}\n${writeDocument(file)}`)
      .join(''),
};

export const getSample = (tool: Tool, connection: Connection): string => writers[tool](connection);

/** Null if the key can't call a text model. The key itself is unknown here, so samples use a variable. */
export function findConnection(baseUrl: string, all: readonly PortalModel[], chosen: string | undefined): Connection | null {
  const callable = toToolModels(all.filter((model) => model.callable));
  const model = callable.models.find(({ id }) => id === chosen) ?? callable.models[0];
  return model ? { ...callable, baseUrl, key: null, model } : null;
}
