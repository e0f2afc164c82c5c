/**
 * Makes one progress of several downloads that go on at the same time, each counted by its bytes.
 * @param report gets the fraction of all bytes that have come, 0 to 1, never falling; nothing when there are none to come
 * @returns adds a download of so many bytes, 0 for what is here, and gives what tells how much of it has come, 0 to 1
 */
export function summedProgress(
  report: (fraction: number) => void,
): (bytes: number) => (fraction: number) => void {
  let bytesTotal = 0;
  let bytesDone = 0;
  return (bytes) => {
    let most = 0;
    bytesTotal += bytes;
    return (fraction) => {
      if (bytes === 0 || fraction <= most) return;
      bytesDone += bytes * (fraction - most);
      most = fraction;
      report(Math.min(1, bytesDone / bytesTotal));
    };
  };
}
