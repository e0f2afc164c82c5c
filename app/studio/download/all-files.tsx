'use client';

import { useRunFiles, useRunOutline } from '../runs/runs-context.ts';
import styles from './all-files.module.css';
import type { PrepareFiles } from './download-run.ts';
import { OpenAllInTool } from './open-in-tool.tsx';

interface AllFilesProps {
  readonly slug: string;
  readonly finish: PrepareFiles;
  readonly onRemove: () => void;
}

/** Offers what can be done with all files together, besides the primary action. */
export function AllFiles({ slug, finish, onRemove }: AllFilesProps) {
  const { items } = useRunFiles();
  const { isRunning } = useRunOutline();
  return (
    <section className={styles.all} aria-label="All files">
      <OpenAllInTool items={items} slug={slug} finish={finish} />
      <button type="button" className="button button-quiet" disabled={isRunning} onClick={onRemove}>
        Remove all
      </button>
    </section>
  );
}
