import { Cell } from '../state/cell.ts';

/** Number of times that this page has learnt of a change of the balance: a job has ended, or money has come or gone. */
export const balanceChanges = new Cell(0);

export function reportBalanceChange(): void {
  balanceChanges.set((before) => before + 1);
}
