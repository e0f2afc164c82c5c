'use client';

import { Download, Trash2 } from 'lucide-react';
import Link from 'next/link';
import { useEffect, useState } from 'react';
import { saveBlob } from '../frame/results.ts';
import { Thumbnail } from '../frame/thumbnail.tsx';
import { bytes, count } from '../quantities.ts';
import { TOOL_LIST } from '../tools.ts';
import styles from './recent.module.css';
import { forgetAllResults, forgetResult, KEPT_BYTES_MAX, listResults, type RecentResult } from './store.ts';

const ICON = { size: 18, strokeWidth: 1.5, 'aria-hidden': true } as const;

/** What this browser still holds: to take again, or to forget. */
export function RecentResults() {
  const [results, setResults] = useState<readonly RecentResult[]>();
  const reload = () => listResults().then(setResults, () => setResults([]));
  // biome-ignore lint/correctness/useExhaustiveDependencies: read once when the page opens, then after each change
  useEffect(() => void reload(), []);

  const total = results?.reduce((sum, { blob }) => sum + blob.size, 0) ?? 0;
  return (
    <div className={styles.recent}>
      <header>
        <h1>Recent results</h1>
        <p className={styles.lead}>
          They lie in this browser only. The oldest go when they take more than {bytes(KEPT_BYTES_MAX)}.
        </p>
      </header>
      {results?.length === 0 && (
        <div className={styles.none}>
          <p>Nothing here yet.</p>
          <p>What you make comes here by itself, to be taken again or forgotten.</p>
          <div>
            {TOOL_LIST.map((tool, place) => (
              <Link
                key={tool.slug}
                href={`/${tool.slug}`}
                className={place === 0 ? 'button button-primary' : 'button'}
              >
                {tool.verb} something
              </Link>
            ))}
          </div>
        </div>
      )}
      {results && results.length > 0 && (
        <>
          <ul className={styles.list}>
            {results.map((result) => (
              <Row key={result.id} result={result} onForget={() => forgetResult(result.id).then(reload)} />
            ))}
          </ul>
          <div className={styles.all}>
            <p className="facts" role="status">
              {count(results.length, 'result')} · {bytes(total)}
            </p>
            <button type="button" className="button" onClick={() => forgetAllResults().then(reload)}>
              Forget all
            </button>
          </div>
        </>
      )}
    </div>
  );
}

function Row({ result, onForget }: { readonly result: RecentResult; readonly onForget: () => void }) {
  const { name, blob, madeAtMs } = result;
  const madeAt = new Date(madeAtMs);
  return (
    <li className={styles.row}>
      <div className={styles.thumbnail}>
        <Thumbnail blob={blob} label={name.split('.').pop() ?? ''} />
      </div>
      <p className={styles.name}>{name}</p>
      <p className="facts">
        {bytes(blob.size)} ·{' '}
        <time dateTime={madeAt.toISOString()}>
          {madeAt.toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' })}
        </time>
      </p>
      <div className={styles.actions}>
        <button
          type="button"
          className="button-icon"
          aria-label={`Download ${name}`}
          onClick={() => saveBlob(blob, name)}
        >
          <Download {...ICON} />
        </button>
        <button type="button" className="button-icon" aria-label={`Forget ${name}`} onClick={onForget}>
          <Trash2 {...ICON} />
        </button>
      </div>
    </li>
  );
}
