/** CSV lines: exact values, and no formulas. */
import { expect, test } from 'vitest';
import { formatCsvLine } from '../../../../server/api/admin/csv.ts';

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1'])(
  'puts a quote before the text %j, so that a spreadsheet reads no formula',
  (text) => {
    expect(formatCsvLine([text])).toContain(`'${text}`);
  },
);

test('keeps numbers, amounts, and null, and quotes texts with quotes, commas, and line breaks', () => {
  expect(formatCsvLine([-1, 0.5, true, null, '0.000301', 'a,b', 'say "no"', 'two\nlines'])).toBe(
    '-1,0.5,true,,0.000301,"a,b","say ""no""","two\nlines"\r\n',
  );
});
