/** End of a part of the API that is to come. */
export interface Deprecation {
  /** Day from which on the part is deprecated: `2026-11-26` (UTC). */
  readonly since: string;
  /** Day from which on the part may be gone. */
  readonly sunset: string;
}

/** Shortest time between the two, in days. */
export const DEPRECATION_DAYS = 180;

const DAY_MS = 86_400_000;

/**
 * Builds the headers of a deprecated part: `Deprecation` (RFC 9745), `Sunset` (RFC 8594), and a link to the policy.
 * @throws Error when less than {@link DEPRECATION_DAYS} lie between the two days
 */
export function buildDeprecationHeaders(
  { since, sunset }: Deprecation,
  policyUrl: string,
): Readonly<Record<string, string>> {
  const [sinceMs, sunsetMs] = [Date.parse(since), Date.parse(sunset)];
  if (!(sunsetMs - sinceMs >= DEPRECATION_DAYS * DAY_MS)) {
    throw new Error(
      `A part deprecated since ${since} must stay for ${DEPRECATION_DAYS} days: not until ${sunset}.`,
    );
  }
  return {
    deprecation: `@${sinceMs / 1000}`,
    sunset: new Date(sunsetMs).toUTCString(),
    link: `<${policyUrl}>; rel="deprecation"; type="text/html"`,
  };
}
