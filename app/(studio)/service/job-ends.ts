/** Number of jobs of this page that have ended: each may have changed the balance. */
let count = 0;
const listeners = new Set<() => void>();

export function reportJobEnd(): void {
  count += 1;
  for (const listener of listeners) listener();
}

export const jobEnds = {
  get: (): number => count,
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};
