'use client';

import styles from './links.module.css';
import { count } from './quantities.ts';
import type { Links } from './use-links.ts';

/** What becomes of the links that were given. */
export function LinkNotice({ links: { pending, problems, cancel } }: { readonly links: Links }) {
  return (
    <div className={styles.notice}>
      <div role="status">
        {pending.length > 0 && (
          <p>
            Our server fetches {count(pending.length, 'link')}…{' '}
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
