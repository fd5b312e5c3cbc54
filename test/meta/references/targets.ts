/** What a comment refers to, as it is written there: documents, decisions, promises and files, and which of them are nowhere. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../architecture/sources.ts';
import { promises } from '../promises/promises.ts';
import type { Comment } from './comments.ts';

/** Documents that are not in the repository, as comments used to name them. */
const outside =
  /\bthe specification\b|\bspecification (?:parts? )?\d|\((?:specification|product)\b|\bproduct (?:rule|page)\b|\(promise:|\(parts? \d/i;

/** `docs/decisions/0037`, `decision 28`, or the four digits alone. */
const decision = /\bdecisions?[/ ](\d{1,4})\b|\((0\d{3})\)/g;
const promise = /\bG\d{1,2}\b/g;
/** A path from the root, or the end of one. Behind a star or a dot stands a pattern. */
const file = /(?<![\w.*/…-])[\w-][\w./-]*\.(?:ts|md)\b/g;

const decisions = new Set(readdirSync(join(root, 'docs/decisions')).map((name) => name.slice(0, 4)));

/** One line for each reference that leads nowhere. */
export function deadReferences(comments: readonly Comment[], paths: readonly string[]): string[] {
  const ends = new Set(paths.flatMap(endsOf));
  return comments.flatMap(({ path, line, text }) =>
    deadIn(text, (name) => ends.has(name) || existsSync(join(root, name))).map((reference) => `${path}:${line}: ${reference}`),
  );
}

function deadIn(text: string, isThere: (name: string) => boolean): string[] {
  const named = [...text.matchAll(decision)].filter(([, spelt, bare]) => !decisions.has((spelt ?? bare ?? '').padStart(4, '0')));
  return [
    ...(outside.exec(text) ?? []),
    ...named.map(([whole]) => whole),
    ...[...text.matchAll(promise)].map(([name]) => name).filter((name) => !(name in promises)),
    ...[...text.matchAll(file)].map(([name]) => name).filter((name) => !isThere(name)),
  ];
}

/** A path, and what is left of it behind each of its slashes. */
function endsOf(path: string): string[] {
  const parts = path.split('/');
  return parts.map((_, at) => parts.slice(at).join('/'));
}
