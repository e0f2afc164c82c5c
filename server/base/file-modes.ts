/** Modes of what customers send and receive, whatever the umask: no other user of the machine can read it. */
export const OWNER_ONLY = { file: 0o600, folder: 0o700 } as const;
