'use client';

import { Download, Trash2 } from 'lucide-react';
import Link from 'next/link';
import { useEffect, useState } from 'react';
import { saveBlob } from '../batch/results.ts';
import {
  deleteAllResults,
  deleteResult,
  listResults,
  type RecentResult,
  STORED_BYTES_MAX,
} from '../batch/stored-results.ts';
import { Thumbnail } from '../frame/thumbnail.tsx';
import { bytes, count } from '../text/quantities.ts';
import { TOOL_LIST } from '../tools/tools.ts';
import styles from './recent.module.css';

const ICON = { size: 18, strokeWidth: 1.5, 'aria-hidden': true } as const;

/** Lists the results that this browser stores, to download or delete. */
export function RecentResults() {
  const [results, setResults] = useState<readonly RecentResult[]>();
  const reload = () => listResults().then(setResults, () => setResults([]));
  // biome-ignore lint/correctness/useExhaustiveDependencies: read once when the page opens, then after each change
  useEffect(() => void reload(), []);

  const total = results?.reduce((sum, { blob }) => sum + blob.size, 0) ?? 0;
  return (
    <div className={styles.recent}>
      <header>
        <h1>Recent</h1>
        <p className={styles.lead}>
          Stored only in this browser. The oldest are deleted beyond {bytes(STORED_BYTES_MAX)}.
        </p>
      </header>
      {results?.length === 0 && (
        <div className={styles.none}>
          <p>Nothing here yet.</p>
          <p>Your results appear here, to download or delete.</p>
          <div>
            {TOOL_LIST.map((tool, place) => (
              <Link
                key={tool.slug}
                href={`/${tool.slug}`}
                className={place === 0 ? 'button button-primary' : 'button'}
              >
                {tool.name}
              </Link>
            ))}
          </div>
        </div>
      )}
      {results && results.length > 0 && (
        <>
          <ul className={styles.list}>
            {results.map((result) => (
              <Row key={result.id} result={result} onForget={() => deleteResult(result.id).then(reload)} />
            ))}
          </ul>
          <div className={styles.all}>
            <p className="facts" role="status">
              {count(results.length, 'result')} · {bytes(total)}
            </p>
            <button type="button" className="button" onClick={() => deleteAllResults().then(reload)}>
              Delete all
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
        <button type="button" className="button-icon" aria-label={`Delete ${name}`} onClick={onForget}>
          <Trash2 {...ICON} />
        </button>
      </div>
    </li>
  );
}
