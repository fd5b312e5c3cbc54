/** Every error that the server makes says by a type which operations may answer it, so that the compiler refuses a code that they do not name (decision 0001). */
import ts from 'typescript';
import { expect, test } from 'vitest';
import { readSources, type Source } from './architecture/sources.ts';

/** Where the code is not known before it happens, and why that is right. */
const unknowable: Readonly<Record<string, string>> = {
  'server/primitives/errors.ts': 'anything that was thrown and that nobody foresaw',
  'server/protocols/errors.ts': 'what an upstream says, ahead of that',
  'server/protocols/canonical/caller-field-names.ts': 'another error with its fields renamed',
  'server/api/http/errors.ts': 'the errors of Fastify and Node, at any address of both APIs',
  'server/api/v1/body-check.ts': 'another error of the schemas with more words',
  'server/api/http/explain-issues.ts': 'what the schemas of both APIs found',
  'server/call/replay.ts': 'what an upstream said when it was recorded',
  'server/providers/simulator/faults.ts': 'the status that a caller has ordered',
  'server/api/trpc/router.ts': 'in the envelope of tRPC, of no operation',
  'server/api/trpc/mount.ts': 'in the envelope of tRPC, of no operation',
  'server/api/trpc/request.ts': 'in the envelope of tRPC, of no operation',
  'server/api/trpc/response.ts': 'in the envelope of tRPC, of no operation',
};

/** What stands between an error and the function that returns it. */
const inside = [
  ...[ts.isParenthesizedExpression, ts.isConditionalExpression, ts.isBinaryExpression, ts.isReturnStatement, ts.isBlock],
  ...[ts.isIfStatement, ts.isCaseClause, ts.isDefaultClause, ts.isCaseBlock, ts.isSwitchStatement, ts.isTryStatement, ts.isCatchClause],
];

/** The type that the program itself writes for an error: behind `GatewayError`, or where the function that makes it says what it returns. */
function writtenType(made: ts.NewExpression): string {
  if (made.typeArguments) return made.typeArguments.map((one) => one.getText()).join();
  let node: ts.Node = made.parent;
  while (inside.some((is) => is(node))) node = node.parent;
  if (ts.isArrowFunction(node) && !node.type) node = node.parent;
  const type = ts.isFunctionLike(node) || ts.isVariableDeclaration(node) ? node.type?.getText() : undefined;
  return /\bOperationError<.*>/s.exec(type ?? '')?.[0] ?? '';
}

/** Places of errors whose type is not written, or is that of all codes. */
function untypedIn({ path, text }: Source): string[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const places: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isNewExpression(node) && node.expression.getText() === 'GatewayError' && /^(ErrorCode|any|)$/.test(writtenType(node)))
      places.push(`${path}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}`);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return places;
}

const sources = readSources().filter(({ path }) => path.startsWith('server/') && path.endsWith('.ts'));

test('creates every error with the type of the operations that can return it', () => {
  expect(sources.length).toBeGreaterThan(200);
  expect(sources.filter(({ path }) => !(path in unknowable)).flatMap(untypedIn)).toEqual([]);
});

test('lists only files with errors of unknown codes', () => {
  const making = sources.filter((source) => untypedIn(source).length > 0).map(({ path }) => path);
  expect(making.sort()).toEqual(Object.keys(unknowable).sort());
});
