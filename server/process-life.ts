/**
 * Runs `stop` once and ends the process, on SIGTERM, SIGINT, or when the parent that started it by `fork` is gone:
 * so nothing outlives a supervisor that was killed.
 */
export function onStop(stop: () => Promise<void>): void {
  let stopping = false;
  const end = async (): Promise<void> => {
    if (stopping) return;
    stopping = true;
    await stop().catch(() => {
      process.exitCode = 1;
    });
    process.exit();
  };
  process.on('SIGTERM', () => void end());
  process.on('SIGINT', () => void end());
  if (process.channel) process.on('disconnect', () => void end());
}

/** Tells the supervisor, where there is one, that this process does its work now. */
export function reportReady(): void {
  process.send?.('ready');
}
