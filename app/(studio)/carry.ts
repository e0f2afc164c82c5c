/**
 * Files on their way from one page of the studio to another. They stay in this tab's memory: nothing is stored and
 * nothing is sent, so a full reload forgets them.
 */
let carried: readonly File[] = [];

export function carryFiles(files: readonly File[]): void {
  carried = files;
}

/** Hands over what was carried, once. */
export function takeCarriedFiles(): readonly File[] {
  const files = carried;
  carried = [];
  return files;
}
