'use client';

import { Trash2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import {
  getSentBytes,
  HOME_TITLE,
  isReady,
  missingFiles,
  type OfflinePart,
  storedBytes,
} from '../../offline/offline-build.ts';
import { canWorkOffline, deletePart, type Offline, useOffline } from '../../offline/offline-store.ts';
import { WorkOffline } from '../../offline/work-offline.tsx';
import { deleteAllResults, listResults, STORED_BYTES_MAX } from '../../studio/runs/stored-results.ts';
import { useStorage, useStoredWeights } from '../../studio/runs/stored-weights.ts';
import { openSessionDatabase, readUsage } from '../../studio/session/database.ts';
import { TOOL_LIST } from '../../studio/tools/tools.ts';
import { formatBytes, formatCount } from '../../ui/quantities.ts';
import styles from './settings.module.css';

/** Titles of the parts that work offline, before the build is read. */
const PART_TITLES = [HOME_TITLE, ...TOOL_LIST.map(({ name }) => name)];

/** Time within which the build is read. Where service workers are denied it never is. */
const DESCRIBED_WITHIN_MS = 5_000;

/** Storage that the browser grants this site. */
interface StorageSpace {
  readonly usedBytes: number;
  readonly quotaBytes: number;
  /** Whether the browser promises to delete nothing by itself; null where the page cannot ask. */
  readonly isKept: boolean | null;
}

/** Lists what this browser stores for the studio, each with its size and a button to delete it. */
export function StoredData() {
  const [revision, setRevision] = useState(0);
  const [said, setSaid] = useState('');
  const remove = async (name: string, work: () => Promise<void>) => {
    setSaid(
      await work().then(
        () => `${name} is deleted.`,
        () => `${name} cannot be deleted now. Try again.`,
      ),
    );
    setRevision((before) => before + 1);
  };
  return (
    <section aria-labelledby="data">
      <h2 id="data">Stored in this browser</h2>
      <StorageUsage key={revision} />
      <div className={styles.offline}>
        <WorkOffline />
      </div>
      <ul className={styles.models}>
        <OfflineRows onDelete={remove} />
        <ModelsRow />
        <ResultsRow key={`results ${revision}`} onDelete={remove} />
        <SessionsRow key={`sessions ${revision}`} onDelete={remove} />
      </ul>
      <p className="note">Cookies hold your sign-in and theme, local storage your choices and run times.</p>
      <p role="status" className={styles.said}>
        {said}
      </p>
    </section>
  );
}

interface Deletes {
  readonly onDelete: (name: string, work: () => Promise<void>) => void;
}

function OfflineRows({ onDelete }: Deletes) {
  const offline = useOffline();
  const [isExpected, setIsExpected] = useState(true);
  useEffect(() => {
    const timer = setTimeout(() => setIsExpected(false), DESCRIBED_WITHIN_MS);
    return () => clearTimeout(timer);
  }, []);
  if (!offline)
    return (
      isExpected &&
      canWorkOffline() &&
      PART_TITLES.map((title, place) => (
        <DataRow key={title} name={title} note={place === 0 ? 'Pages' : ''} />
      ))
    );
  return offline.build.parts.map((part, place) => {
    const size = storedBytes(offline.build, ownUrls(offline, part));
    const canDelete = size > 0 && !offline.download;
    return (
      <DataRow
        key={part.id}
        name={part.title}
        note={place === 0 ? 'Pages' : ''}
        size={describePart(offline, part, size)}
        onDelete={canDelete ? () => onDelete(part.title, () => deletePart(part.id)) : undefined}
      />
    );
  });
}

/** Returns the cached URLs of a part, without those that come with the first. */
function ownUrls({ build: { parts }, cached }: Offline, { urls }: OfflinePart): string[] {
  const [home] = parts;
  return urls.filter((url) => cached.has(url) && (urls === home?.urls || !home?.urls.includes(url)));
}

function describePart({ build, cached }: Offline, part: OfflinePart, size: number): string {
  if (isReady(part, cached)) return `${formatBytes(size)}, ready offline`;
  const missing = `${formatBytes(getSentBytes(missingFiles(build, [part], cached)))} to download`;
  return size > 0 ? `${formatBytes(size)} stored, ${missing}` : missing;
}

function ModelsRow() {
  const stored = useStoredWeights();
  if (stored === null) return null;
  const sizes = stored && [...stored.values()];
  return (
    <DataRow
      name="Models"
      note="Downloaded for the tools"
      size={sizes && describeSize(getSum(sizes), sizes.length, 'file')}
    />
  );
}

function ResultsRow({ onDelete }: Deletes) {
  const results = useStorage(readResults);
  if (results === null) return null;
  const sizes = results?.map(({ blob }) => blob.size);
  const name = 'Recent results';
  return (
    <DataRow
      name={name}
      note={`The last ${formatBytes(STORED_BYTES_MAX)}`}
      size={sizes && describeSize(getSum(sizes), sizes.length, 'result')}
      onDelete={sizes && sizes.length > 0 ? () => onDelete(name, deleteAllResults) : undefined}
    />
  );
}

function SessionsRow({ onDelete }: Deletes) {
  const usage = useStorage(readSessionUsage);
  if (usage === null) return null;
  const name = 'Files in tools';
  return (
    <DataRow
      name={name}
      note="Until a day after their tab closes"
      size={usage && describeSize(usage.bytes, usage.files, 'file')}
      onDelete={usage && usage.files > 0 ? () => onDelete(name, deleteSessions) : undefined}
    />
  );
}

function getSum(sizes: readonly number[]): number {
  return sizes.reduce((sum, size) => sum + size, 0);
}

function describeSize(bytes: number, count: number, noun: string): string {
  return count === 0 ? 'none' : `${formatBytes(bytes)} in ${formatCount(count, noun)}`;
}

const readResults = () => listResults().catch(() => null);

interface DataRowProps {
  readonly name: string;
  readonly note: string;
  /** Absent until it is read: the row keeps its place. */
  readonly size?: string | undefined;
  readonly onDelete?: (() => void) | undefined;
}

function DataRow({ name, note, size, onDelete }: DataRowProps) {
  return (
    <li>
      <div>
        <strong className={styles.model}>{name}</strong>
        <span className="note">{note}</span>
      </div>
      <div>
        <span className="facts">{size ?? '…'}</span>
      </div>
      {onDelete && (
        <button type="button" className="button button-icon" aria-label={`Delete ${name}`} onClick={onDelete}>
          <Trash2 size={18} strokeWidth={1.5} aria-hidden />
        </button>
      )}
    </li>
  );
}

/** Shows how much this site stores in this browser, how much space is left, and whether the data is persistent. */
function StorageUsage() {
  const space = useStorage(readSpace);
  const [isGranted, setIsGranted] = useState<boolean>();
  if (space === null) return null;
  if (space === undefined) return <div className={styles.room} aria-busy />;
  const { usedBytes, quotaBytes } = space;
  const isKept = isGranted ?? space.isKept;
  const isRefused = isGranted === false;
  const keep = async () => setIsGranted(await navigator.storage.persist());
  return (
    <div className={styles.room}>
      <p id="room" className="facts">
        {formatBytes(usedBytes)} of {formatBytes(quotaBytes)} used
      </p>
      <meter aria-labelledby="room" className={styles.meter} value={usedBytes} max={quotaBytes} />
      <div className={styles.keeping}>
        <p role="status">{isKept !== null && describePersistence(isKept, isRefused)}</p>
        {isKept === false && !isRefused && (
          <button type="button" className="button" onClick={keep}>
            Keep it
          </button>
        )}
      </div>
    </div>
  );
}

function describePersistence(isKept: boolean, isRefused: boolean): string {
  if (isKept) return 'All stays until you delete it.';
  return isRefused
    ? 'The browser declined: it may delete this when storage runs low.'
    : 'The browser may delete this when storage runs low.';
}

/**
 * Reads the browser's storage estimate.
 * @returns null where the browser gives none
 */
async function readSpace(): Promise<StorageSpace | null> {
  try {
    const { storage } = navigator;
    const { usage, quota } = await storage.estimate();
    if (usage === undefined || !quota) return null;
    const isKept = 'persist' in storage ? await storage.persisted() : null;
    return { usedBytes: usage, quotaBytes: Math.max(quota, usage), isKept };
  } catch {
    return null;
  }
}

/** Counts what the sessions of all tabs store; null where the browser stores nothing. */
async function readSessionUsage(): Promise<{ readonly files: number; readonly bytes: number } | null> {
  try {
    const usage = [...(await readUsage(await openSessionDatabase())).values()];
    const sum = (key: 'files' | 'bytes') => usage.reduce((total, tab) => total + tab[key], 0);
    return { files: sum('files'), bytes: sum('bytes') };
  } catch {
    return null;
  }
}

/** Deletes the sessions of all tabs, and removes the files of this tab from its tools. */
async function deleteSessions(): Promise<void> {
  // Loaded on the click: this page needs no tool.
  const { clearBatches } = await import('../../studio/runs/session-batches.ts');
  clearBatches();
  const db = await openSessionDatabase();
  const change = db.transaction(['tabs', 'states', 'files'], 'readwrite');
  await Promise.all([
    ...(['tabs', 'states', 'files'] as const).map((store) => change.objectStore(store).clear()),
    change.done,
  ]);
}
