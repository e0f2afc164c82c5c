/**
 * Files on their way from one page of the studio to another. They stay in this tab's memory: nothing is stored or
 * sent, so a full reload drops them.
 */
let carried: readonly File[] = [];

export function carryFiles(files: readonly File[]): void {
  carried = files;
}

/** Returns the carried files and clears them. */
export function takeCarriedFiles(): readonly File[] {
  const files = carried;
  carried = [];
  return files;
}
