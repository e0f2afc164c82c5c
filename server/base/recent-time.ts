/**
 * Reports whether an ISO date or time lies in 1970 or later. Years before are out of the database's range, or of no
 * use.
 */
export const isRecent = (text: string) => text >= '1970';

export const SINCE = 'must not be before 1970';
