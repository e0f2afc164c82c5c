/** Pause between two signs of life of a step, in ms. */
const TELL_EVERY_MS = 10_000;

/** Writes a line for whoever waits. */
export type Tell = (line: string) => void;

/** Does a step of a long work, and tells of it. */
export type DoStep = <T>(name: string, work: () => Promise<T>) => Promise<T>;

/**
 * Numbers the steps of a long work, and tells when each begins and ends. Every ten seconds it says what
 * is still going on: a build takes minutes, of which most are silent.
 * @param stepCount number of all steps
 */
export function showProgress(stepCount: number, tell: Tell): DoStep {
  let begun = 0;
  return async (name, work) => {
    const startedAtMs = performance.now();
    const seconds = () => Math.round((performance.now() - startedAtMs) / 1000);
    begun += 1;
    tell(`[${begun}/${stepCount}] ${name} ...`);
    const timer = setInterval(() => tell(`      ${name}: ${seconds()} s so far`), TELL_EVERY_MS);
    try {
      const result = await work();
      tell(`      ${name}: done in ${seconds()} s`);
      return result;
    } finally {
      clearInterval(timer);
    }
  };
}
