/** The comments of a source file, as the compiler's parser sees them: not what looks like one inside a text. */
import ts from 'typescript';
import type { Source } from '../architecture/sources.ts';

export interface Comment {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

/** Whatever is no text, template or regular expression and looks like a comment is one. */
export function commentsOf({ path, text }: Source): Comment[] {
  const bare = withoutTexts(text);
  return [...bare.matchAll(/\/\/.*|\/\*[\s\S]*?\*\//g)].map(({ index, 0: comment }) => ({
    path,
    line: bare.slice(0, index).split('\n').length,
    text: comment,
  }));
}

/** Spaces stand where a text, a template or a regular expression was; lines stay where they are. */
function withoutTexts(text: string): string {
  const file = ts.createSourceFile('source.ts', text, {
    languageVersion: ts.ScriptTarget.Latest,
    jsDocParsingMode: ts.JSDocParsingMode.ParseNone,
  });
  const pieces: string[] = [];
  let end = 0;
  const visit = (node: ts.Node): void => {
    if (isText(node)) {
      const start = node.getStart(file);
      pieces.push(text.slice(end, start), text.slice(start, node.getEnd()).replace(/[^\n]/g, ' '));
      end = node.getEnd();
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return [...pieces, text.slice(end)].join('');
}

const isText = (node: ts.Node): boolean =>
  ts.isStringLiteralLike(node) ||
  ts.isTemplateHead(node) ||
  ts.isTemplateMiddle(node) ||
  ts.isTemplateTail(node) ||
  ts.isRegularExpressionLiteral(node);
