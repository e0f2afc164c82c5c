'use client';

import { Download, Trash2 } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { Thumbnail } from '../../studio/files/thumbnail.tsx';
import { saveResults } from '../../studio/runs/results.ts';
import {
  deleteAllResults,
  deleteResults,
  listResults,
  pinResult,
  type RecentResult,
  restoreResults,
  resultChanges,
  STORED_BYTES_MAX,
} from '../../studio/runs/stored-results.ts';
import { Waiting } from '../../studio/stage/waiting.tsx';
import { UndoNotice, useUndo } from '../../studio/tool-frame/undo-notice.tsx';
import { formatMoment } from '../../ui/dates.ts';
import { formatBytes, formatCount } from '../../ui/quantities.ts';
import { groupResults, type ResultGroup } from './group-results.ts';
import styles from './recent.module.css';
import { ResultDialog, saveRecent } from './result-dialog.tsx';

const ICON = { size: 18, strokeWidth: 1.5, 'aria-hidden': true } as const;

interface ResultRowProps {
  readonly result: RecentResult;
  readonly onView: () => void;
  readonly onDelete: () => void;
}

interface RecentResultsProps {
  /** Links to the tools, for a visitor without results. */
  readonly tools: ReactNode;
}

/** Lists the results that this browser stores: to view, download, send to a tool or delete. */
export function RecentResults({ tools }: RecentResultsProps) {
  const results = useResults();
  const [viewedId, view] = useState<number>();
  const undo = useUndo();
  const title = useRef<HTMLHeadingElement>(null);
  const [problem, setProblem] = useState('');
  const remove = (removed: readonly RecentResult[], words: string, deletion: Promise<void>) =>
    deletion.then(
      () => {
        setProblem('');
        undo.suggest(`${words} deleted.`, () => void restoreResults(removed));
      },
      () => setProblem(`Could not delete ${words}. Try again.`),
    );
  const [query, setQuery] = useState('');
  const groups = groupResults(results ?? [], query);
  const viewed = results?.find(({ id }) => id === viewedId);
  return (
    <div className={styles.recent}>
      <header>
        <h1 ref={title} tabIndex={-1}>
          Recent
        </h1>
        <p className={styles.lead}>
          Your last results, up to {formatBytes(STORED_BYTES_MAX)}, only in this browser.
        </p>
      </header>
      {!results && <Waiting words="Reading your results" />}
      {results?.length === 0 && <NoResults tools={tools} />}
      {results && results.length > 0 && (
        <>
          <div className={styles.tools}>
            <input
              type="search"
              aria-label="Search the results"
              placeholder="Search by name or tool"
              value={query}
              onChange={(event) => setQuery(event.currentTarget.value)}
            />
            <AllResults
              results={results}
              onDelete={(words) => void remove(results, words, deleteAllResults())}
            />
          </div>
          <p role="alert">{problem}</p>
          {groups.length === 0 && <p className={styles.lead}>No result is named like that.</p>}
          {groups.map((group) => (
            <Group
              key={group.key}
              group={group}
              onView={view}
              onDelete={(deleted, words) =>
                void remove(deleted, words, deleteResults(deleted.map(({ id }) => id)))
              }
            />
          ))}
        </>
      )}
      {viewed && <ResultDialog key={viewed.id} result={viewed} onClose={() => view(undefined)} />}
      <UndoNotice undo={undo} home={title} />
    </div>
  );
}

function NoResults({ tools }: RecentResultsProps) {
  return (
    <div className={styles.none}>
      <p>Nothing here yet.</p>
      {tools}
    </div>
  );
}

interface GroupProps {
  readonly group: ResultGroup;
  readonly onView: (id: number) => void;
  /** Deletes results, which some words name. */
  readonly onDelete: (results: readonly RecentResult[], words: string) => void;
}

/** Results of one job. Several can be downloaded and deleted together. */
function Group({ group, onView, onDelete }: GroupProps) {
  const { key, tool, sources, madeAtMs, results } = group;
  const [source] = sources;
  const title = sources.length > 1 ? formatCount(sources.length, 'file') : source;
  const madeAt = new Date(madeAtMs);
  const save = () => {
    const named = results.map(({ name, blob }) => ({ name, file: { name, mediaType: blob.type, blob } }));
    void saveResults(named, 'darkroom-recent.zip');
    for (const { id } of results) void pinResult(id).catch(() => {});
  };
  return (
    <section className={styles.group} aria-labelledby={key}>
      <header>
        <h2 id={key}>{[tool ?? 'Result', title].filter(Boolean).join(' · ')}</h2>
        <p className="facts">
          <time dateTime={madeAt.toISOString()}>{formatMoment(madeAt)}</time>
        </p>
        {results.length > 1 && (
          <div className={styles.actions}>
            <button
              type="button"
              className="button-icon"
              aria-label={`Download ${results.length} as zip`}
              title={`Download ${results.length} as zip`}
              onClick={save}
            >
              <Download {...ICON} />
            </button>
            <button
              type="button"
              className="button-icon"
              aria-label={`Delete these ${results.length}`}
              title={`Delete these ${results.length}`}
              onClick={() => onDelete(results, formatCount(results.length, 'result'))}
            >
              <Trash2 {...ICON} />
            </button>
          </div>
        )}
      </header>
      <ul className={styles.list}>
        {results.map((result) => (
          <ResultRow
            key={result.id}
            result={result}
            onView={() => onView(result.id)}
            onDelete={() => onDelete([result], result.name)}
          />
        ))}
      </ul>
    </section>
  );
}

interface AllResultsProps {
  readonly results: readonly RecentResult[];
  /** Deletes all results, which some words name. */
  readonly onDelete: (words: string) => void;
}

function AllResults({ results, onDelete }: AllResultsProps) {
  const words = formatCount(results.length, 'result');
  return (
    <div className={styles.all}>
      <p className="facts" role="status">
        {words} · {formatBytes(results.reduce((sum, { blob }) => sum + blob.size, 0))}
      </p>
      <button type="button" className="button" onClick={() => onDelete(words)}>
        Delete all
      </button>
    </div>
  );
}

/** Returns the stored results, newest first, after each change; undefined until they are read. */
function useResults(): readonly RecentResult[] | undefined {
  const changes = useSyncExternalStore(resultChanges.subscribe, resultChanges.get, () => 0);
  const [results, setResults] = useState<readonly RecentResult[]>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: read again after each change
  useEffect(() => {
    let isWanted = true;
    listResults()
      .catch(() => [])
      .then((listed) => isWanted && setResults(listed));
    return () => {
      isWanted = false;
    };
  }, [changes]);
  return results;
}

function ResultRow({ result, onView, onDelete }: ResultRowProps) {
  const { name, blob } = result;
  return (
    <li className={styles.row}>
      <button type="button" className={styles.thumbnail} aria-label={`View ${name}`} onClick={onView}>
        <Thumbnail blob={blob} label={name.split('.').pop() ?? ''} />
      </button>
      <p className={styles.name}>{name}</p>
      <p className="facts">{formatBytes(blob.size)}</p>
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
