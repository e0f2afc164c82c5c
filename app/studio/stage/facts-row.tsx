'use client';

import type { ReactNode } from 'react';
import { useIsPhone } from '../../ui/use-is-phone.ts';
import type { BatchItem } from '../runs/batch.ts';
import { FactChips } from './fact-chips.tsx';
import styles from './facts-row.module.css';
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
