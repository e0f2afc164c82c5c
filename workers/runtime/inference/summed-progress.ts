/**
 * Makes one progress of several downloads that go on at the same time, each counted by its bytes.
 * @param report gets the fraction of all bytes that have come, 0 to 1, never falling; nothing when there are none to come
 * @returns adds a download of so many bytes, 0 for what is here, and gives what tells how much of it has come, 0 to 1
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
      // Added up anew each time: what is added on and on by rounded steps comes to a little less than all.
      report(bytesDone.reduce((sum, part) => sum + part, 0) / bytesTotal);
    };
  };
}
