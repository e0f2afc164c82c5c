import { loadingProgress, type ReportProgress } from '../../../models/core/runtime/progress.ts';

/**
 * Sums several concurrent downloads to one.
 * @param report receives the bytes of all, never decreasing; nothing when there are none
 * @returns adds a download of a given size, 0 for local files, and returns what receives its progress
 */
export function summedProgress(report: ReportProgress): (totalBytes: number) => ReportProgress {
  let allBytes = 0;
  const received: number[] = [];
  return (totalBytes) => {
    const at = received.push(0) - 1;
    allBytes += totalBytes;
    return ({ loading }) => {
      const bytes = Math.min(totalBytes, loading?.receivedBytes ?? 0);
      if (bytes <= (received[at] ?? 0)) return;
      received[at] = bytes;
      const receivedBytes = received.reduce((sum, each) => sum + each, 0);
      report(loadingProgress({ receivedBytes, totalBytes: allBytes }));
    };
  };
}
