/** The results for machines: JUnit, for CI systems, and JSON. */
import type { Outcome } from './check.ts';

export interface Tally {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

export function tallyOf(outcomes: readonly Outcome[]): Tally {
  const count = (state: Outcome['state']): number => outcomes.filter((outcome) => outcome.state === state).length;
  return { passed: count('passed'), failed: count('failed'), skipped: count('skipped') };
}

export function writeJson(baseUrl: string, outcomes: readonly Outcome[]): string {
  const tally = tallyOf(outcomes);
  return `${JSON.stringify({ object: 'verification', base_url: baseUrl, ok: tally.failed === 0, ...tally, checks: outcomes }, null, 2)}\n`;
}

export function writeJunit(outcomes: readonly Outcome[]): string {
  const { failed, skipped } = tallyOf(outcomes);
  const seconds = outcomes.reduce((sum, { ms }) => sum + ms, 0) / 1_000;
  const head = `<testsuite name="modelgate verify" tests="${outcomes.length}" failures="${failed}" skipped="${skipped}" time="${seconds}">`;
  return ['<?xml version="1.0" encoding="UTF-8"?>', head, ...outcomes.map(caseOf), '</testsuite>', ''].join('\n');
}

function caseOf({ group, name, state, detail, ms }: Outcome): string {
  const open = `  <testcase classname="${escapeXml(group)}" name="${escapeXml(name)}" time="${ms / 1_000}"`;
  if (state === 'passed') return `${open}/>`;
  return `${open}><${state === 'failed' ? 'failure' : 'skipped'} message="${escapeXml(detail)}"/></testcase>`;
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** XML allows no control characters but these three, not even escaped. */
const escapeXml = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[^\P{Cc}\t\n\r]/gu, '?')
    .replace(/[&<>"]/g, (sign) => entities[sign] ?? sign);
