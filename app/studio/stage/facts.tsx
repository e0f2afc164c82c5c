'use client';

import { Info } from 'lucide-react';
import type { ReactNode } from 'react';
import { useIsPhone, useLoaded } from '../../ui/hooks.ts';
import { formatBytes, formatSeconds } from '../../ui/quantities.ts';
import { useMenu } from '../../ui/use-menu.ts';
import { wasFetched } from '../files/fetched-files.ts';
import { probeImageFile } from '../files/open-bitmap.ts';
import type { BatchItem, FileResult } from '../runs/batch.ts';
import { getResults } from '../runs/results.ts';
import styles from './facts.module.css';
import { SlotPortal } from './frame-slots.tsx';

interface FactsRowProps {
  readonly item: BatchItem;
  /** Facts that only the tool itself knows. */
  readonly extra?: readonly string[];
  /** Facts on how the result was made, such as its model and certainty, shown on request. */
  readonly about?: readonly string[];
  /** File that will be saved, where it is not the result: null while it is unknown, and then nothing is said of it. */
  readonly saved?: Blob | null | undefined;
  /** Buttons for what can be done with the result besides downloading it. */
  readonly children?: ReactNode;
}

/** Shows facts about one file and its result, the most important first: a narrow row leaves out the last. */
function FactChips({ item, extra = [], about = [], saved }: Omit<FactsRowProps, 'children'>) {
  const { file, state } = item;
  const [result] = getResults(item);
  const blob = saved ?? result?.file.blob;
  const image = useFacts(blob ?? file, probeImageFile);
  const isKnown = saved !== null;
  const facts = [
    isKnown && formatBytes((blob ?? file).size),
    ...(state.phase === 'done' ? describeServerUse(state.result) : []),
    isKnown && image && `${image.format.toUpperCase()} · ${image.width} × ${image.height}`,
    state.phase === 'done' && `in ${formatSeconds(state.durationSeconds)}`,
    ...extra,
  ].filter((fact) => typeof fact === 'string');
  const warnings = state.phase === 'done' ? state.result.warnings : [];
  const notes = [...about, ...(wasFetched(file) ? ['original fetched through our server'] : [])];
  return (
    <div className={styles.facts}>
      <div className={styles.line}>
        <ul className={`${styles.chips} facts`} aria-label="Facts">
          {facts.map((fact) => (
            <li key={fact}>{fact}</li>
          ))}
        </ul>
        {notes.length > 0 && <About notes={notes} />}
      </div>
      {warnings.map((warning) => (
        <p key={warning} className={styles.warning}>
          {warning}
        </p>
      ))}
    </div>
  );
}

/** Shows behind a button how a result was made. */
function About({ notes }: { readonly notes: readonly string[] }) {
  const { menu, onToggle } = useMenu();
  return (
    <details ref={menu} className={styles.about} onToggle={onToggle}>
      <summary aria-label="How it was made" title="How it was made">
        <Info size={16} strokeWidth={1.5} aria-hidden />
      </summary>
      <p className="facts">{notes.join(' · ')}</p>
    </details>
  );
}

/**
 * Says what a run on the server cost and sent, in facts that fit a narrow row. On the device it is free and sends
 * nothing, as the settings say.
 */
function describeServerUse({ server }: FileResult): readonly string[] {
  return server ? [`our server · $${server.chargedUsd}`, `${formatBytes(server.sentBytes)} sent`] : [];
}

/** Reads facts from a file's header; undefined until then, without a file, and for one without a readable header. */
export function useFacts<Facts>(
  file: Blob | undefined,
  probe: (file: Blob) => Promise<Facts>,
): Facts | undefined {
  return useLoaded(file, (given) => probe(given));
}

/** Row below the stage: facts on the left, uses of the result on the right. On a phone the sheet holds it. */
export function FactsRow({ children, ...facts }: FactsRowProps) {
  const row = (
    <div className={styles.row}>
      <FactChips {...facts} />
      {children && <div className={styles.uses}>{children}</div>}
    </div>
  );
  return useIsPhone() ? <SlotPortal name="facts">{row}</SlotPortal> : row;
}
