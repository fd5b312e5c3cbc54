/** Counts the outcomes of checks, and writes them as JSON and JUnit reports. */
import type { Group } from './check.ts';

export interface CheckOutcome {
  readonly group: Group;
  readonly name: string;
  readonly state: 'passed' | 'failed' | 'skipped';
  /** Why the check failed or was skipped. Empty if it passed. */
  readonly detail: string;
  /** The mismatches as separate texts. */
  readonly mismatches: readonly string[];
  /** Duration in milliseconds. */
  readonly ms: number;
}

export function countOutcomes(outcomes: readonly CheckOutcome[]): { passed: number; failed: number; skipped: number } {
  const countState = (state: CheckOutcome['state']): number => outcomes.filter((outcome) => outcome.state === state).length;
  return { passed: countState('passed'), failed: countState('failed'), skipped: countState('skipped') };
}

export function writeJson(baseUrl: string, outcomes: readonly CheckOutcome[]): string {
  const counts = countOutcomes(outcomes);
  return `${JSON.stringify({ object: 'verification', base_url: baseUrl, ok: counts.failed === 0, ...counts, checks: outcomes }, null, 2)}\n`;
}

export function writeJunit(outcomes: readonly CheckOutcome[]): string {
  const { failed, skipped } = countOutcomes(outcomes);
  const seconds = outcomes.reduce((sum, { ms }) => sum + ms, 0) / 1_000;
  const head = `<testsuite name="modelgate verify" tests="${outcomes.length}" failures="${failed}" skipped="${skipped}" time="${seconds}">`;
  return ['<?xml version="1.0" encoding="UTF-8"?>', head, ...outcomes.map(formatJunitCase), '</testsuite>', ''].join('\n');
}

function formatJunitCase({ group, name, state, detail, ms }: CheckOutcome): string {
  const openTag = `  <testcase classname="${escapeXml(group)}" name="${escapeXml(name)}" time="${ms / 1_000}"`;
  if (state === 'passed') return `${openTag}/>`;
  return `${openTag}><${state === 'failed' ? 'failure' : 'skipped'} message="${escapeXml(detail)}"/></testcase>`;
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** XML allows only three control characters, even if escaped. */
const escapeXml = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[^\P{Cc}\t\n\r]/gu, '?')
    .replace(/[&<>"]/g, (sign) => entities[sign] ?? sign);
