/** Free memory of a machine that has too little for any run. */
const FREE_BYTES_MIN = 100_000_000;

/**
 * Reports whether the machine, or the container, has no memory left: a refused allocation is then not the run's fault.
 */
export function isMemoryExhausted(): boolean {
  return process.availableMemory() < FREE_BYTES_MIN;
}
