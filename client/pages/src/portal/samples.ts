/** What the portal shows of tools: the first call, and the models of the key as tools are told of them. */

import type { PortalModel } from '../../../../contract/portal/reads.ts';
import { codex } from '../../../connect/agents.ts';
import { writeDocument } from '../../../connect/document.ts';
import { writeCurl, writeNode, writePython } from '../../../connect/programs.ts';
import type { Connection, ToolModel } from '../../../connect/recipe.ts';

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

export const sampleFor = (tool: Tool, connection: Connection): string => writers[tool](connection);

/** Null if the key can't call any text model. The key itself isn't known here: it is a variable. */
export function connectionOf(baseUrl: string, all: readonly PortalModel[], chosen: string | undefined): Connection | null {
  const callable = all.filter((model) => model.callable);
  const models = callable.flatMap(toToolModel);
  const model = models.find(({ id }) => id === chosen) ?? models[0];
  return model ? { baseUrl, key: null, model, models, hasImages: callable.some(({ id }) => id === 'gpt-image-2') } : null;
}

/** Nothing for a model that makes images: it has no output of tokens. */
function toToolModel({ id, context_window: contextWindow, max_output_tokens: maxOutput, abilities }: PortalModel): readonly ToolModel[] {
  if (maxOutput === null) return [];
  const { tools: hasTools, image_input: images, reasoning_effort: reasoning } = abilities;
  return [{ id, contextWindow, maxOutput, tools: hasTools, images, reasoning }];
}
