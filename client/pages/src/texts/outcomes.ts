/** Outcomes of calls, in the console and the portal. */
export const outcomes = {
  completed: 'Completed',
  incomplete: 'Incomplete',
  rejected: 'Rejected',
  failed: 'Failed',
  client_disconnected: 'Client disconnected',
} as const;
