/** Least scores, 0 to 1, of Low, Medium and High. */
export type Thresholds = readonly [low: number, medium: number, high: number];

/** Categories of harm that a verdict covers. */
export const CATEGORIES = ['Hate', 'SelfHarm', 'Sexual', 'Violence'] as const;
export type Category = (typeof CATEGORIES)[number];

/** 0 Safe, 2 Low, 4 Medium, 6 High. */
export const SEVERITIES = [0, 2, 4, 6] as const;
export type Severity = (typeof SEVERITIES)[number];

/** Maps a score to a severity. */
export function getSeverity(score: number, thresholds: Thresholds): Severity {
  return SEVERITIES[thresholds.filter((least) => score >= least).length] ?? 0;
}

/** Returns the higher of two severities. */
export function maxSeverity(one: Severity, other: Severity): Severity {
  return one > other ? one : other;
}

/** Turns scores into shares that add up to 1. */
export function softmax(scores: readonly number[]): readonly number[] {
  const most = Math.max(...scores);
  const powers = scores.map((score) => Math.exp(score - most));
  const sum = powers.reduce((total, power) => total + power, 0);
  return powers.map((power) => power / sum);
}
