/** Tables for spreadsheets: exact, and never a formula. */
import { expect, test } from 'vitest';
import { csvLine } from '../../../server/admin/csv.ts';

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1'])('a spreadsheet takes the text %j for a text', (text) => {
  expect(csvLine([text])).toContain(`'${text}`);
});

test('numbers, amounts and nothing stay as they are, and quotes, commas and line breaks are one cell', () => {
  expect(csvLine([-1, 0.5, true, null, '0.000301', 'a,b', 'say "no"', 'two\nlines'])).toBe(
    '-1,0.5,true,,0.000301,"a,b","say ""no""","two\nlines"\r\n',
  );
});
