'use client';

import { ProgressLine } from '../ui/progress-line.tsx';
import { formatBytes } from '../ui/quantities.ts';
import { getSentBytes, isReady, missingFiles } from './offline-build.ts';
import { downloadAll, type Offline, stopDownload, useOffline } from './offline-store.ts';
import styles from './work-offline.module.css';

/**
 * Says what is available without a network, and downloads the rest on one click. Compact, for the foot of a menu.
 * Renders nothing where service workers are denied.
 */
export function WorkOffline() {
  const offline = useOffline();
  if (!offline) return null;
  const { build, cached, download, problem } = offline;
  const missing = missingFiles(build, build.parts, cached);
  return (
    <div className={styles.offline}>
      <p role="status">{describeReady(offline)}</p>
      {download ? (
        <div className={styles.download}>
          <ProgressLine
            fraction={download.totalBytes > 0 ? download.sentBytes / download.totalBytes : 0}
            label="Download for offline use"
          />
          <p className="facts">
            {formatBytes(download.sentBytes)} of {formatBytes(download.totalBytes)}
          </p>
          <button type="button" className="button button-quiet" onClick={stopDownload}>
            Cancel
          </button>
        </div>
      ) : (
        missing.length > 0 && (
          <button type="button" className="button" onClick={() => void downloadAll()}>
            Work offline: {formatBytes(getSentBytes(missing))}
          </button>
        )
      )}
      {problem && <p role="alert">{problem}</p>}
    </div>
  );
}

/** Says what is available without a network. */
export function ReadyOffline() {
  const offline = useOffline();
  return offline && <p role="status">{describeReady(offline)}</p>;
}

function describeReady({ build, cached }: Offline): string {
  const ready = build.parts.filter((part) => isReady(part, cached));
  if (ready.length === build.parts.length) return 'Everything works offline.';
  if (ready.length === 0) return 'Nothing works offline yet.';
  const names = ready.map(({ title }) => title);
  return `Ready offline: ${new Intl.ListFormat('en').format(names)}.`;
}
