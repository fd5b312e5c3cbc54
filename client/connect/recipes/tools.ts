/** All tools that `modelgate connect` knows, in the order of the guide. */
import { claudeCode, cline, codex, crush, goose, llm, opencode } from './agents.ts';
import { aider, continueDev, zed } from './editors.ts';
import { env, node, python } from './programs.ts';
import type { Recipe } from './recipe.ts';

export const recipes: readonly Recipe[] = [
  ...[codex, opencode, cline, continueDev, aider, goose, crush, zed],
  ...[llm, claudeCode, env, python, node],
];
