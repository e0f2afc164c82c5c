import { Cell } from '../session/cell.ts';

/** Number of jobs of this page that have ended: each may have changed the balance. */
export const jobEnds = new Cell(0);

export function reportJobEnd(): void {
  jobEnds.set((before) => before + 1);
}
