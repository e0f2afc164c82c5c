/**
 * Lanes of the server's runners: `interactive` for jobs that somebody waits for, `long` for minutes or hours,
 * `verdict` for direct responses, `batch` for many unattended runs.
 */
export const LANES = ['interactive', 'long', 'verdict', 'batch'] as const;

export type Lane = (typeof LANES)[number];
