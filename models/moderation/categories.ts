/** Categories of harm that a verdict covers. */
export const CATEGORIES = ['Hate', 'SelfHarm', 'Sexual', 'Violence'] as const;
export type Category = (typeof CATEGORIES)[number];

/** 0 Safe, 2 Low, 4 Medium, 6 High. */
export const SEVERITIES = [0, 2, 4, 6] as const;
export type Severity = (typeof SEVERITIES)[number];
