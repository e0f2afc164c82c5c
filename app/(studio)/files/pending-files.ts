/**
 * Files on their way from one page of the studio to another, in this tab's memory: nothing is sent.
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
