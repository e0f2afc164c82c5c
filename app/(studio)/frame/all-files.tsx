'use client';

import styles from './all-files.module.css';
import type { Finish } from './download-run.ts';
import { OpenAllInTool } from './open-in-tool.tsx';
import type { FileRuns } from './use-file-runs.ts';

interface AllFilesProps {
  readonly work: FileRuns;
  readonly slug: string;
  readonly finish: Finish;
  readonly onRemove: () => void;
}

/** Offers what can be done with all files together, besides the primary action. */
export function AllFiles({ work: { items, isRunning }, slug, finish, onRemove }: AllFilesProps) {
  return (
    <section className={styles.all} aria-label="All files">
      <OpenAllInTool items={items} slug={slug} finish={finish} />
      <button type="button" className="button button-quiet" disabled={isRunning} onClick={onRemove}>
        Remove all
      </button>
    </section>
  );
}
