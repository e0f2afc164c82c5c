import { formatCount } from '../../text/quantities.ts';
import type { BatchItem } from './batch.ts';
import type { Unsaved } from './persist-items.ts';
import styles from './session-notice.module.css';

interface SessionNoticeProps {
  readonly items: readonly BatchItem[];
  readonly unsaved: Unsaved;
}

/** Says which runs a reload stopped, and which files and results the next one would lose. */
export function SessionNotice({ items, unsaved }: SessionNoticeProps) {
  const stopped = items.filter(({ state }) => state.phase === 'waiting' && state.wasStopped).length;
  const lost = [
    unsaved.files > 0 && formatCount(unsaved.files, 'file'),
    unsaved.results > 0 && formatCount(unsaved.results, 'result'),
  ].filter((part) => part !== false);
  const notices = [
    stopped > 0 &&
      `The reload stopped ${formatCount(stopped, 'run')}. Start ${stopped === 1 ? 'it' : 'them'} again.`,
    lost.length > 0 && `A reload would lose ${lost.join(' and ')}: this browser has no room left.`,
  ].filter((notice) => notice !== false);
  return (
    <div role="status">
      {notices.map((notice) => (
        <p key={notice} className={styles.notice}>
          {notice}
        </p>
      ))}
    </div>
  );
}
