/** Hours for which the first response to an Idempotency-Key is replayed. */
export const IDEMPOTENCY_HOURS = 24;
