/** The comments of a source file, as the compiler's parser sees them: not what looks like one inside a text. */
import ts from 'typescript';
import type { Source } from '../architecture/sources.ts';

export interface Comment {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

/** Parses only what can hold a match: to parse every file takes many seconds. */
export function commentsWith(pattern: RegExp, sources: readonly Source[]): Comment[] {
  return sources.filter(({ text }) => pattern.test(text)).flatMap((source) => commentsOf(source).filter(({ text }) => pattern.test(text)));
}

export function commentsOf({ path, text }: Source): Comment[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const ends = new Map<number, number>();
  const visit = (node: ts.Node): void => {
    for (const { pos, end } of rangesAround(node, text)) ends.set(pos, end);
    for (const child of node.getChildren(file)) visit(child);
  };
  visit(file);
  return [...ends].map(([pos, end]) => ({
    path,
    line: file.getLineAndCharacterOfPosition(pos).line + 1,
    text: text.slice(pos, end),
  }));
}

/** Every comment stands before or behind a token. Tokens alone are asked: what the parser calls trivia of a text or a template is none. */
function rangesAround(node: ts.Node, text: string): readonly ts.CommentRange[] {
  if (node.getChildCount() > 0 || ts.isJsxText(node)) return [];
  const before = ts.getLeadingCommentRanges(text, node.getFullStart()) ?? [];
  const behind = ts.getTrailingCommentRanges(text, node.getEnd()) ?? [];
  return [...before, ...behind];
}
