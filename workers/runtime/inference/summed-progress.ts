/**
 * Sums several concurrent downloads to one progress, weighted by bytes.
 * @param report receives the fraction of all bytes, 0 to 1, never decreasing; nothing when there are none
 * @returns adds a download of a given size, 0 for local files, and returns its progress callback, 0 to 1
 */
export function summedProgress(
  report: (fraction: number) => void,
): (bytes: number) => (fraction: number) => void {
  let bytesTotal = 0;
  const bytesDone: number[] = [];
  return (bytes) => {
    const at = bytesDone.push(0) - 1;
    bytesTotal += bytes;
    return (fraction) => {
      const done = bytes * Math.min(1, fraction);
      if (done <= (bytesDone[at] ?? 0)) return;
      bytesDone[at] = done;
      // Summed again each time: a running sum of rounded steps ends slightly below 1.
      report(bytesDone.reduce((sum, part) => sum + part, 0) / bytesTotal);
    };
  };
}
