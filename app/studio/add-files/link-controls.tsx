'use client';

import { formatCount } from '../../ui/quantities.ts';
import styles from './links.module.css';
import type { Links } from './use-links.ts';

/** Shows the state of the given links. */
export function LinkNotice({ links }: { readonly links: Links }) {
  const { offered, pending, problems, addLinks, cancel } = links;
  return (
    <div className={styles.notice}>
      <div role="status">
        {offered.length > 0 && (
          <p>
            Shared with Darkroom: {formatCount(offered.length, 'link')} to {getHosts(offered).join(', ')}.{' '}
            <button type="button" className="button" onClick={() => addLinks(offered)}>
              Fetch
            </button>{' '}
            <button type="button" className="button button-quiet" onClick={cancel}>
              Discard
            </button>
          </p>
        )}
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

function getHosts(urls: readonly string[]): readonly string[] {
  return [...new Set(urls.map((url) => new URL(url).host))];
}
