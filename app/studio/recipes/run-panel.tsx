'use client';

import { FolderInput, FolderOutput } from 'lucide-react';
import { useRef, useState, useSyncExternalStore } from 'react';
import { ProgressLine } from '../../ui/progress-line.tsx';
import { formatCount } from '../../ui/quantities.ts';
import { describeFailure } from '../failures/describe-failure.ts';
import { ChooseFiles, FileInput } from '../files/choose-files.tsx';
import { Thumbnail } from '../files/thumbnail.tsx';
import type { BatchItem, BatchView, ItemState } from '../runs/batch.ts';
import { describeProgress } from '../runs/describe-run.ts';
import { saveResults } from '../runs/results.ts';
import { countFiles, countInPhase, itemsInPhase, totalProgress } from '../runs/totals.ts';
import { usePrice } from '../runs/use-price.ts';
import { useSessionState } from '../session/use-session-state.ts';
import { ServerButton } from '../tool-frame/server-offer.tsx';
import { type Draft, toJson } from './draft.ts';
import type { RecipeRuns } from './recipe-runs.ts';
import styles from './recipes.module.css';
import { countSharedWarnings } from './shared-warnings.ts';

interface RunPanelProps {
  readonly runs: RecipeRuns;
  readonly view: BatchView;
  readonly draft: Draft;
  readonly isValid: boolean;
  readonly onFiles: (files: readonly File[]) => void;
}

/** Browsers that write into a folder of the visitor's choice. */
interface FolderPicker {
  showDirectoryPicker?(options: { readonly mode: 'readwrite' }): Promise<FileSystemDirectoryHandle>;
}

/** Files shown in the list: more would slow the page, and say no more. */
const LISTED_MAX = 200;

/** Runs a recipe over all files, on this device or the server. */
export function RunPanel({ runs, view, draft, isValid, onFiles }: RunPanelProps) {
  const { items, isRunning } = view;
  const [pattern, setPattern] = useSessionState('recipes/pattern', '');
  const [folder, setFolder] = useState<FileSystemDirectoryHandle>();
  const failed = countInPhase(items, 'failed');
  const done = countInPhase(items, 'done');
  const recipe = toJson(draft);
  const isOutdated = runs.isOutdated(recipe);
  const next = items.filter(
    ({ state }) => isOutdated || state.phase === 'waiting' || state.phase === 'failed',
  );
  const price = usePrice('pipeline', isRunning || !isValid ? [] : next, () => recipe);
  const isReady = isValid && next.length > 0;
  const start = (location: 'device' | 'server') => runs.start(recipe, location, { pattern, folder });
  const isOnlyFailed = failed > 0 && failed === next.length;
  // Of runs before and after the choice of a folder, some results may be in the page and others in the folder.
  const isInPage = items.some(isKept);
  return (
    <section className={styles.run} aria-labelledby="recipe-run">
      <h2 id="recipe-run">Run it over your files</h2>
      <div className={styles.actions}>
        <ChooseFiles label="Add files" className="button" onFiles={onFiles} />
        <ChooseFolder onFiles={onFiles} />
        {items.length > 0 && !isRunning && (
          <button type="button" className="button button-quiet" onClick={() => runs.batch.removeAll()}>
            Remove all
          </button>
        )}
      </div>
      <FileList items={items} onRemove={isRunning ? undefined : (id) => runs.batch.remove(id)} />
      <div className={styles.delivery}>
        <label className={styles.row}>
          <span>File names</span>
          <input
            value={pattern}
            placeholder="{name}-{step}.{ext}"
            aria-describedby="pattern-means"
            disabled={isRunning}
            onChange={(event) => setPattern(event.currentTarget.value)}
          />
        </label>
        <p id="pattern-means" className="note">
          {'May hold {name}, {step}, {width}, {height} and {n}.'}
        </p>
        <FolderChoice folder={folder} disabled={isRunning} onFolder={setFolder} />
      </div>
      {isRunning && (
        <>
          <ProgressLine fraction={totalProgress(items)} label="Progress of all files" />
          <CurrentFile items={items} />
        </>
      )}
      <p role="status">
        {describeState(items, isRunning, isInPage ? undefined : folder?.name)}
        {isOutdated && done > 0 && !isRunning && ' The recipe has changed since.'}
      </p>
      <div className={styles.actions}>
        {isRunning ? (
          <button type="button" className="button" onClick={() => runs.batch.cancel()}>
            Cancel
          </button>
        ) : (
          <>
            <button
              type="button"
              className={isInPage && !isReady ? 'button' : 'button button-primary'}
              disabled={!isReady}
              onClick={() => start('device')}
            >
              {isOnlyFailed
                ? `Run failed only: ${failed}`
                : `Run on this device${next.length > 0 ? `: ${countFiles(next)}` : ''}`}
            </button>
            {isReady && (
              <ServerButton
                isPrimary={false}
                label={`Run ${countFiles(next)} on the server`}
                price={price}
                onRun={() => start('server')}
              />
            )}
            {isInPage && <DownloadResults runs={runs} pattern={pattern} isPrimary={!isReady} />}
            {done > 0 && !isOutdated && (
              <button type="button" className="button button-quiet" onClick={() => runs.batch.reset()}>
                Run all again
              </button>
            )}
          </>
        )}
      </div>
    </section>
  );
}

interface DownloadResultsProps extends Pick<RunPanelProps, 'runs'> {
  readonly pattern: string;
  readonly isPrimary: boolean;
}

function DownloadResults({ runs, pattern, isPrimary }: DownloadResultsProps) {
  const [problem, setProblem] = useState('');
  const download = async () => {
    setProblem('');
    try {
      await saveResults(await runs.getResults(pattern), 'darkroom-recipe.zip');
    } catch (thrown) {
      setProblem(describeFailure(thrown));
    }
  };
  return (
    <>
      <button
        type="button"
        className={isPrimary ? 'button button-primary' : 'button'}
        onClick={() => void download()}
      >
        Download the results
      </button>
      <p role="alert" className={styles.failure}>
        {problem}
      </p>
    </>
  );
}

function describeState(items: readonly BatchItem[], isRunning: boolean, folder: string | undefined): string {
  const [done, failed] = [countInPhase(items, 'done'), countInPhase(items, 'failed')];
  if (isRunning) return `${done + failed} of ${items.length} done${failed > 0 ? `, ${failed} failed` : ''}`;
  if (done + failed === 0) return items.length === 0 ? 'No files yet.' : '';
  const place = folder ? `, in the folder ${folder}` : '';
  return `${formatCount(done, 'file')} done${place}${failed > 0 ? `, ${failed} failed` : ''}.`;
}

function CurrentFile({ items }: { readonly items: readonly BatchItem[] }) {
  const [item] = itemsInPhase(items, 'running');
  if (item?.state.phase !== 'running') return null;
  return (
    <p className="facts">
      {item.file.name} · {describeProgress(item.state)}
    </p>
  );
}

interface FileListProps {
  readonly items: readonly BatchItem[];
  readonly onRemove: ((id: number) => void) | undefined;
}

/** Lists the files, those that failed first, with why. What several results have in common stands above them, once. */
function FileList({ items, onRemove }: FileListProps) {
  if (items.length === 0) return null;
  const shared = countSharedWarnings(items);
  const sorted = [...itemsInPhase(items, 'failed'), ...items.filter(({ state }) => state.phase !== 'failed')];
  return (
    <>
      {[...shared].map(([warning, count]) => (
        <p key={warning} className="note">
          {formatCount(count, 'file')}: {warning}
        </p>
      ))}
      <ul className={styles.files} aria-label="Files">
        {sorted.slice(0, LISTED_MAX).map(({ id, file, state }) => (
          <li key={id} data-phase={state.phase}>
            <span className={styles.tiny}>
              <Thumbnail blob={file} label={file.name.split('.').at(-1) ?? ''} />
            </span>
            <span className={styles.fileName}>{file.name}</span>
            <span className={state.phase === 'failed' ? styles.failure : 'facts'}>
              {describeFile(state, shared)}
            </span>
            {onRemove && (
              <button
                type="button"
                className="button button-quiet"
                aria-label={`Remove ${file.name}`}
                onClick={() => onRemove(id)}
              >
                Remove
              </button>
            )}
          </li>
        ))}
        {sorted.length > LISTED_MAX && <li>and {sorted.length - LISTED_MAX} more</li>}
      </ul>
    </>
  );
}

/** Says how a file stands: why it failed, and what a person should know of its result alone. */
function describeFile(state: ItemState, shared: ReadonlyMap<string, number>): string {
  if (state.phase === 'failed') return state.message;
  const warnings = state.phase === 'done' ? state.result.warnings : [];
  return [PHASES[state.phase], ...warnings.filter((warning) => !shared.has(warning))].join(' · ');
}

/** Reports whether the page has a file's result: a folder may have it instead. */
function isKept({ state }: BatchItem): boolean {
  return state.phase === 'done' && (state.result.files.length > 0 || state.result.details !== undefined);
}

const PHASES = { waiting: 'waits', running: 'runs', done: 'done' } as const;

/** Adds all files of a folder. */
function ChooseFolder({ onFiles }: { readonly onFiles: (files: readonly File[]) => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button type="button" className="button" onClick={() => input.current?.click()}>
        <FolderInput size={20} strokeWidth={1.5} aria-hidden />
        Add a folder
      </button>
      <FileInput
        // React has no attribute of this name.
        ref={(element) => {
          input.current = element;
          element?.setAttribute('webkitdirectory', '');
        }}
        data-use="folder"
        onFiles={onFiles}
      />
    </>
  );
}

interface FolderChoiceProps {
  readonly folder: FileSystemDirectoryHandle | undefined;
  readonly disabled: boolean;
  readonly onFolder: (folder: FileSystemDirectoryHandle | undefined) => void;
}

/** Chooses a folder that gets each result as soon as it is made; without one the results are a download. */
function FolderChoice({ folder, disabled, onFolder }: FolderChoiceProps) {
  // Not every browser writes into folders; in those the results come as one zip.
  const canChoose = useSyncExternalStore(
    () => () => {},
    () => 'showDirectoryPicker' in window,
    () => false,
  );
  const choose = () =>
    (window as FolderPicker).showDirectoryPicker?.({ mode: 'readwrite' }).then(onFolder, () => {
      // The visitor has closed the dialog.
    });
  return (
    <div className={styles.actions}>
      {canChoose && (
        <button type="button" className="button" disabled={disabled} onClick={() => void choose()}>
          <FolderOutput size={20} strokeWidth={1.5} aria-hidden />
          {folder ? 'Another folder' : 'Write into a folder'}
        </button>
      )}
      {folder && (
        <button
          type="button"
          className="button button-quiet"
          disabled={disabled}
          onClick={() => onFolder(undefined)}
        >
          Download instead
        </button>
      )}
      <span className="note">{folder ? `Results go into ${folder.name}.` : 'Results are downloaded.'}</span>
    </div>
  );
}
