/** Reason for which a process of the service cannot start, and which no restart would mend. */
export class StartRefusedError extends Error {}
