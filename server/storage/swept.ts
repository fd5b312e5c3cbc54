/** How many old rows are deleted in one step: calls wait for the writing thread meanwhile, so a step takes a few milliseconds. */
export const MAX_SWEPT = 100;
