/**
 * Lanes of the server's runners: `interactive` for jobs that a client waits for, `long` for minutes or hours,
 * `verdict` for direct responses, `batch` for many unattended runs.
 */
export const LANES = ['interactive', 'long', 'verdict', 'batch'] as const;
export type Lane = (typeof LANES)[number];

/** States of a job, exactly as in the interface specification. */
export const JOB_STATUSES = ['QUEUED', 'PROCESSING', 'COMPLETED', 'FAILED', 'ERROR'] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

/** Reports whether a job with a status has ended. */
export function isTerminal(status: JobStatus): boolean {
  return status !== 'QUEUED' && status !== 'PROCESSING';
}

/** Automatic attempts before a fault on our side ends a job in ERROR. */
export const ATTEMPTS_MAX = 3;

/**
 * Creates a request id, `<model_id>_<UUIDv7 without dashes>`: unique, and sortable by creation time (RFC 9562,
 * section 5.7).
 * @param atMs milliseconds since the epoch
 */
export function createRequestId(modelId: string, atMs: number): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  for (let i = 0; i < 6; i++) bytes[i] = Math.floor(atMs / 2 ** (8 * (5 - i))) % 256;
  bytes[6] = 0x70 | ((bytes[6] ?? 0) & 0x0f);
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
  return `${modelId}_${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
