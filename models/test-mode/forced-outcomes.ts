import { fieldError } from '../core/operation/errors.ts';

/** Outcomes that a test key can force by the address of its input. */
export const FORCED_OUTCOMES = [
  'failed',
  'error',
  'slow',
  'insufficient-balance',
  'too-many-requests',
  'webhook-failed',
] as const;
export type ForcedOutcome = (typeof FORCED_OUTCOMES)[number];

/** Duration of a run that is forced to be slow, in seconds. */
export const SLOW_SECONDS = 8;

/** Host of the addresses that force outcomes. No such host can exist: RFC 2606, section 2. */
const HOST = 'test.invalid';

/** Beginning of the addresses that force outcomes. */
export const FORCED_ORIGIN = `https://${HOST}/`;

/** Reports whether a URL names the host whose addresses force outcomes. Nothing is ever fetched from there. */
export function isForcedAddress(url: string): boolean {
  return URL.canParse(url) && new URL(url).hostname.replace(/\.$/, '') === HOST;
}

/** Returns the outcome that a URL forces; null for any other URL. */
export function findForcedOutcome(url: string): ForcedOutcome | null {
  if (!isForcedAddress(url)) return null;
  const name = new URL(url).pathname.slice(1);
  return FORCED_OUTCOMES.find((outcome) => outcome === name) ?? null;
}

/**
 * Reads the outcome that the URL of an input forces.
 * @returns null for any other URL
 * @throws OperationError `bad_request` naming the field, for an unknown address of that host, and for a live key
 */
export function readForcedOutcome(
  { field, value }: { readonly field: string; readonly value: string },
  isTest: boolean,
): ForcedOutcome | null {
  if (!isForcedAddress(value)) return null;
  if (!isTest) {
    throw fieldError(field, `${FORCED_ORIGIN} is for test keys. Send a live key the URL of a file.`);
  }
  const outcome = findForcedOutcome(value);
  if (outcome) return outcome;
  throw fieldError(field, `${FORCED_ORIGIN} must be followed by one of ${FORCED_OUTCOMES.join(', ')}.`);
}
