/** Schemas of tools that providers reject, and the equivalent schemas that are sent. */
import { expect, test } from 'vitest';
import { toToolSchema } from '../../../../server/protocols/canonical/tool-schema.ts';
import { WorkBudget } from '../../../../server/protocols/canonical/work-budget.ts';
import { type Json, readRows } from '../../../fixtures/rows.ts';

interface Row {
  readonly title: string;
  readonly given: Json;
  readonly sent: Json;
}

test.each(readRows<Row>('tool-schemas'))('rewrites the schema of a tool: $title', ({ given, sent }) => {
  // As text, which shows the order, too, and a property with the name of the prototype.
  expect(JSON.stringify(toToolSchema(given, new WorkBudget().forField('tools[0].parameters')))).toBe(JSON.stringify(sent));
});
