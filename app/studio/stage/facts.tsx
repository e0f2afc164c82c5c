'use client';

import { type ReactNode, useEffect, useState } from 'react';
import { useIsPhone } from '../../ui/hooks.ts';
import { describeConversionChange, formatBytes, formatSeconds } from '../../ui/quantities.ts';
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
  /** Whether the change in size is worth showing. */
  readonly showsSizeChange?: boolean;
  /** File that will be saved, where it is not the result; null while it is unknown. */
  readonly saved?: Blob | null | undefined;
  /** Buttons for what can be done with the result besides downloading it. */
  readonly children?: ReactNode;
}

interface FactChipsProps {
  readonly item: BatchItem;
  /** Facts that only the tool itself knows. */
  readonly extra?: readonly string[] | undefined;
  /** Whether the change in size is worth showing. */
  readonly showsSizeChange?: boolean | undefined;
  /** File that will be saved, where it is not the result: null while it is unknown, and then nothing is said of it. */
  readonly saved?: Blob | null | undefined;
}

/** Shows facts about one file and its result, the most important first: a narrow row leaves out the last. */
export function FactChips({ item, extra = [], showsSizeChange = true, saved }: FactChipsProps) {
  const { file, state } = item;
  const [result] = getResults(item);
  const blob = saved ?? result?.file.blob;
  const image = useFacts(blob ?? file, probeImageFile);
  const isKnown = saved !== null;
  const facts = [
    isKnown &&
      (blob && showsSizeChange
        ? `${formatBytes(file.size)} → ${formatBytes(blob.size)}`
        : formatBytes((blob ?? file).size)),
    isKnown && blob && showsSizeChange && getChange(file, blob, result?.file.mediaType ?? blob.type),
    state.phase === 'done' && getPlace(state.result),
    wasFetched(file) && 'original fetched through our server',
    isKnown && image && `${image.format.toUpperCase()} · ${image.width} × ${image.height}`,
    state.phase === 'done' && formatSeconds(state.durationSeconds),
    ...extra,
  ].filter((fact) => typeof fact === 'string');
  const warnings = state.phase === 'done' ? state.result.warnings : [];
  return (
    <div className={styles.facts}>
      <ul className={`${styles.chips} facts`} aria-label="Facts">
        {facts.map((fact) => (
          <li key={fact}>{fact}</li>
        ))}
      </ul>
      {warnings.map((warning) => (
        <p key={warning} className={styles.warning}>
          {warning}
        </p>
      ))}
    </div>
  );
}

function getChange(file: File, saved: Blob, mediaType: string): string {
  const from = { mediaType: file.type, bytes: file.size };
  return describeConversionChange(from, { mediaType, bytes: saved.size });
}

function getPlace({ server }: FileResult): string {
  if (!server) return 'on this device · 0 bytes sent';
  return `on the server · ${formatBytes(server.sentBytes)} sent · $${server.chargedUsd}`;
}

/**
 * Reads facts from a file's header; undefined until then, without a file, and for one without a readable header.
 * @param probe the same function each time
 */
export function useFacts<Facts>(
  file: Blob | undefined,
  probe: (file: Blob) => Promise<Facts>,
): Facts | undefined {
  const [known, setKnown] = useState<{ file: Blob; facts: Facts }>();
  useEffect(() => {
    if (!file) return;
    let isWanted = true;
    probe(file).then(
      (facts) => isWanted && setKnown({ file, facts }),
      () => {},
    );
    return () => {
      isWanted = false;
    };
  }, [file, probe]);
  return known && known.file === file ? known.facts : undefined;
}

/** Row below the stage: facts on the left, uses of the result on the right. On a phone the sheet holds it. */
export function FactsRow({ item, extra, showsSizeChange, saved, children }: FactsRowProps) {
  const row = (
    <div className={styles.row}>
      <FactChips item={item} extra={extra} showsSizeChange={showsSizeChange} saved={saved} />
      {children && <div className={styles.uses}>{children}</div>}
    </div>
  );
  return useIsPhone() ? <SlotPortal name="facts">{row}</SlotPortal> : row;
}
