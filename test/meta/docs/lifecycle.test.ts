/** The page on the way of a request: its files and functions exist, its steps are in the order of the code, its statuses are those of the table of errors. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { errorTable } from '../../../contract/errors.ts';
import { operationErrors } from '../../../contract/operation-errors.ts';
import { root } from '../architecture/sources.ts';

const page = readFileSync(join(root, 'docs/lifecycle.md'), 'utf8');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** Each function that a drawing names, in order: `server/http/app.ts (refuseOverload)`. */
const named = [...page.matchAll(/(server\/[\w/-]+\.ts) \(([\w, ]+)\)/g)].flatMap(([, path = '', names = '']) =>
  names.split(', ').map((name) => ({ path, name })),
);
/** Of the first drawing alone: the one of tRPC comes in by the same entrance. */
const steps = named.slice(
  0,
  named.findIndex(({ path }) => path === 'server/trpc/mount.ts'),
);

/** The functions and classes that a file declares, with the methods of its classes and interfaces. */
function declaredIn(path: string): Set<string> {
  const names = new Set<string>();
  const visit = (node: ts.Node): void => {
    const isDeclaration =
      ts.isFunctionDeclaration(node) ||
      ts.isClassDeclaration(node) ||
      ts.isVariableDeclaration(node) ||
      ts.isMethodSignature(node) ||
      ts.isMethodDeclaration(node);
    if (isDeclaration && node.name && ts.isIdentifier(node.name)) names.add(node.name.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, read(path), ts.ScriptTarget.Latest));
  return names;
}

/** The names of the functions that this one calls, in the order of its text, each once; `a.b()` counts as `b`. */
function callsIn(path: string, name: string): string[] {
  const calls = new Set<string>();
  const collect = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      const { expression: callee } = node;
      if (ts.isIdentifier(callee)) calls.add(callee.text);
      if (ts.isPropertyAccessExpression(callee)) calls.add(callee.name.text);
    }
    ts.forEachChild(node, collect);
  };
  ts.createSourceFile(path, read(path), ts.ScriptTarget.Latest).forEachChild((node) => {
    if (ts.isFunctionDeclaration(node) && node.name?.text === name) collect(node);
  });
  return [...calls];
}

/** The functions that a file exports. */
const exportedBy = (path: string): string[] => [...read(path).matchAll(/^export (?:async )?function (\w+)/gm)].map(([, name = '']) => name);

const PIPELINE = 'server/request/pipeline.ts';
const ENTRANCE = 'server/http/entrance.ts';
const drawnOf = (calls: readonly string[]): string[] => steps.map(({ name }) => name).filter((name) => calls.includes(name));

describe('the steps that are drawn', () => {
  it.each(named)('$path has $name', ({ path, name }) => {
    expect(declaredIn(path)).toContain(name);
  });

  it('name every step of the pipeline, in the order in which `run` takes them', () => {
    // What is left out only prepares the value of a step, or records it.
    const notSteps = ['begin', 'found', 'secretsOf', 'grantOrderOf', 'failsOnDemand', 'transcode', 'whole', 'failed'];
    const calls = callsIn(PIPELINE, 'run').filter((name) => !notSteps.includes(name));
    expect(calls.length).toBeGreaterThan(5);
    expect(drawnOf(calls)).toEqual(calls);
  });

  it('name every step of the entrance, in the order in which a body comes in', () => {
    const drawn = drawnOf(callsIn(ENTRANCE, 'openEntrance'));
    expect(drawn).toEqual(['authenticate', 'enter', 'refuseBody', 'openShare', 'lookAhead', 'foresee']);
  });

  it('name what pipeline and entrance export, but for what only reads the context, the end of a share of memory, the dry run and the story itself', () => {
    const exported = [...exportedBy(PIPELINE), ...exportedBy(ENTRANCE)].filter(
      (name) => !['run', 'weighable', 'callOf', 'closeShare'].includes(name),
    );
    const drawn = steps.map(({ name }) => name);
    expect(exported.length).toBeGreaterThan(1);
    expect(exported.filter((name) => !drawn.includes(name))).toEqual([]);
  });
});

/** `403 permission_denied, insufficient_balance` as pairs of status and code. */
const answers = [...page.matchAll(/\b([45]\d\d) `?([a-z]+(?:_[a-z]+)*(?:, [a-z]+_[a-z_]+)*)/g)].flatMap(([, status, codes = '']) =>
  codes.split(', ').map((code) => ({ status: Number(status), code })),
);
const statusOf = new Map(Object.entries(errorTable).map(([code, { status }]) => [code, status]));

describe('the statuses that are drawn', () => {
  const coded = answers.filter(({ code }) => code.includes('_') || statusOf.has(code));

  it('are those that the table of errors has for the codes beside them', () => {
    expect(coded.length).toBeGreaterThan(60);
    expect(coded.filter(({ status, code }) => statusOf.get(code) !== status)).toEqual([]);
  });

  it('leave out no code that a caller may get, but for mistakes in single fields', () => {
    const codes = new Set(Object.values(operationErrors).flat());
    const drawn = new Set(coded.map(({ code }) => code));
    expect([...codes].filter((code) => statusOf.get(code) !== 400 && !drawn.has(code))).toEqual([]);
  });
});
