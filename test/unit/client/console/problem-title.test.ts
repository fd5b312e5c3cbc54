/** Titles of the overview's problems. */
import { expect, test } from 'vitest';
import { getTitle, type Problem } from '../../../../client/pages/src/operator/pages/overview/problem-title.ts';

const problem = { is_urgent: false, available: null, expires_at: null, impact: null, since: null } as const;
const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();
const outage = { failed_calls: 12, models: ['llama-4-maverick'] };

test.each<{ given: Problem; title: string }>([
  {
    given: {
      ...problem,
      kind: 'upstream_unavailable',
      target: 'upstream',
      subject: 'nimbus',
      name: 'nimbus',
      is_urgent: true,
      impact: outage,
      message: 'llama-4-maverick at nimbus failed several times in a row. The next attempt is in 7 seconds.',
    },
    title: 'nimbus is unavailable',
  },
  {
    given: {
      ...problem,
      kind: 'balance_low',
      target: 'account',
      subject: 'acct_1',
      name: 'broke-startup',
      available: '0.990000',
      message: 'Account broke-startup has $0.99 left and spent $0.005684 in the last day.',
    },
    title: 'broke-startup has $0.990000 left',
  },
  {
    given: {
      ...problem,
      kind: 'keys_expiring',
      target: 'key',
      subject: 'key_1',
      name: 'initech / staging',
      expires_at: inDays(3),
      message: `Key staging of account initech expires at ${inDays(3)}.`,
    },
    title: 'Key initech / staging expires in 3 days',
  },
  {
    given: { ...problem, kind: 'alerts_open', target: 'key', subject: 'key_2', name: 'ci', message: 'Key ci has used $9.00 of its cap.' },
    title: 'Key ci has used $9.00 of its cap',
  },
])('says "$title"', ({ given, title }) => {
  expect(getTitle(given).title).toBe(title);
});

test('names the models of an outage only in its effect', () => {
  const down: Problem = { ...problem, kind: 'alerts_open', target: 'upstream', subject: 'nimbus', name: 'nimbus', message: 'Down.' };
  expect(getTitle({ ...down, is_urgent: true, impact: outage }).messages).toEqual([]);
  expect(getTitle(down)).toEqual({ title: 'nimbus is cooling down', messages: ['Down.'] });
});
