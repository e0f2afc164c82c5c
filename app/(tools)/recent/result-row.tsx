import { Download, Trash2 } from 'lucide-react';
import { Thumbnail } from '../../studio/files/thumbnail.tsx';
import type { RecentResult } from '../../studio/runs/stored-results.ts';
import { formatBytes } from '../../text/quantities.ts';
import styles from './recent.module.css';
import { saveRecent } from './save-recent.ts';

const ICON = { size: 18, strokeWidth: 1.5, 'aria-hidden': true } as const;

interface ResultRowProps {
  readonly result: RecentResult;
  readonly onView: () => void;
  readonly onDelete: () => void;
}

export function ResultRow({ result, onView, onDelete }: ResultRowProps) {
  const { name, blob, madeAtMs } = result;
  const madeAt = new Date(madeAtMs);
  return (
    <li className={styles.row}>
      <button type="button" className={styles.thumbnail} aria-label={`View ${name}`} onClick={onView}>
        <Thumbnail blob={blob} label={name.split('.').pop() ?? ''} />
      </button>
      <p className={styles.name}>{name}</p>
      <p className="facts">
        {formatBytes(blob.size)} ·{' '}
        <time dateTime={madeAt.toISOString()}>
          {madeAt.toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' })}
        </time>
      </p>
      <div className={styles.actions}>
        <button
          type="button"
          className="button-icon"
          aria-label={`Download ${name}`}
          onClick={() => saveRecent(result)}
        >
          <Download {...ICON} />
        </button>
        <button type="button" className="button-icon" aria-label={`Delete ${name}`} onClick={onDelete}>
          <Trash2 {...ICON} />
        </button>
      </div>
    </li>
  );
}
