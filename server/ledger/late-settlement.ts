/** The note of both entries of a charge that came after its hold had expired (docs/decisions/0036). */
export const LATE = 'late';
