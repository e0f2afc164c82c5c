'use client';

import { formatCount } from '../../text/quantities.ts';
import styles from './links.module.css';
import type { Links } from './use-links.ts';

/** Shows the state of the given links. */
export function LinkNotice({ links: { pending, problems, cancel } }: { readonly links: Links }) {
  return (
    <div className={styles.notice}>
      <div role="status">
        {pending.length > 0 && (
          <p>
            Our server fetches {formatCount(pending.length, 'link')}…{' '}
            <button type="button" className="button button-quiet" onClick={cancel}>
              Cancel
            </button>
          </p>
        )}
      </div>
      {problems.length > 0 && (
        <div role="alert">
          {problems.map((problem) => (
            <p key={problem} className={styles.problem}>
              {problem}
            </p>
          ))}
        </div>
      )}
    </div>
  );
}
