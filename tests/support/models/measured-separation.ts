/** Passed acceptance of an engine that separates stems, but for its memory. */
export const MEASURED_SEPARATION = {
  measure: 'SI-SDR',
  figure: 2.8,
  floor: 2,
  passed: true,
  seconds: 0.5,
  per: 'second' as const,
  measuredAt: '2026-01-01T00:00:00.000Z',
};
