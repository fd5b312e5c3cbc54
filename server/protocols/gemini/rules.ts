/** Gemini's limits, thinking levels and budgets, and schema keywords (decision 0039). */

import type { Effort, ModelRules } from '../../config/model-rules.ts';
import type { SchemaRules } from '../canonical/fit-schema.ts';
import type { ThinkingLevel } from './wire.ts';

/** The supported keywords of `responseJsonSchema`. Others have no effect or are rejected (decision 0039). */
export const geminiSchema: SchemaRules = {
  keywords: new Set([
    ...[
      '$id',
      '$defs',
      '$ref',
      '$anchor',
      'type',
      'format',
      'title',
      'description',
      'enum',
      'items',
      'prefixItems',
      'minItems',
      'maxItems',
    ],
    ...['minimum', 'maximum', 'anyOf', 'oneOf', 'properties', 'additionalProperties', 'required', 'propertyOrdering'],
  ]),
  areObjectsClosed: false,
  areReferencesAlone: true,
};

export const levels: Readonly<Record<Effort, ThinkingLevel>> = {
  // Levels can't turn thinking off. This is the lowest.
  none: 'MINIMAL',
  minimal: 'MINIMAL',
  low: 'LOW',
  medium: 'MEDIUM',
  high: 'HIGH',
  xhigh: 'HIGH',
  max: 'HIGH',
};

/** Token budgets that Gemini itself uses for these values. */
const budgets: Readonly<Record<Effort, number>> = {
  none: 0,
  minimal: 1024,
  low: 1024,
  medium: 8192,
  high: 24_576,
  xhigh: 24_576,
  max: 24_576,
};

export const toThinkingBudget = (effort: Effort, budget: ModelRules['budget']): number =>
  effort === 'none' || !budget ? budgets[effort] : Math.min(Math.max(budgets[effort], budget.min), budget.max);

/** The maximum length of a function name. */
export const MAX_TOOL_NAME = 64;

/** Models before the third generation use a token budget instead of a level, and never require signatures. */
export const isBeforeGemini3 = (model: string): boolean => /^(models\/)?(gemini-[12](\D|$)|gemma|learnlm)/.test(model);
