'use client';

import { useEffect, useRef } from 'react';
import { formatBytes, formatCount } from '../../ui/quantities.ts';
import { describeUnreadable } from '../add-files/use-file-drop.ts';
import { ChooseFiles } from '../files/choose-files.tsx';
import type { RecognisedFile } from '../files/kind-by-bytes.ts';
import { getNoun } from '../files/media-kind.ts';
import type { Tool } from '../tools/tool.ts';
import { groupFiles } from './file-groups.ts';
import { GroupRow } from './group-row.tsx';
import styles from './tool-offer.module.css';

interface OfferProps {
  readonly found: readonly RecognisedFile[];
  /** Names of files that the browser could not read. */
  readonly unreadable: readonly string[];
  readonly onOpen: (tool: Tool, files: readonly File[]) => void;
  readonly onBack: () => void;
  readonly onMore: (files: readonly File[]) => void;
}

/** Shows the dropped files, and offers the tools that accept them. */
export function ToolOffer({ found, unreadable, onOpen, onBack, onMore }: OfferProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <div className={styles.offer}>
      <h1 id="welcome" ref={heading} tabIndex={-1}>
        {describe(found)}
      </h1>
      <p className="facts">{formatBytes(found.reduce((sum, { file }) => sum + file.size, 0))}</p>
      {unreadable.length > 0 && <p role="alert">{describeUnreadable(unreadable)}</p>}
      <ul className={styles.groups}>
        {groupFiles(found).map((group) => (
          <li key={`${group.kind} ${group.isEmpty} ${group.tools.map(({ slug }) => slug)}`}>
            <GroupRow group={group} onOpen={onOpen} />
          </li>
        ))}
      </ul>
      <div className={styles.other}>
        <ChooseFiles className="button" label="Add more files" onFiles={onMore} />
        <button type="button" className="button button-quiet" onClick={onBack}>
          Back
        </button>
      </div>
    </div>
  );
}

function describe(found: readonly RecognisedFile[]): string {
  const counts = new Map<string, number>();
  for (const { kind } of found) {
    const noun = kind ? getNoun(kind) : 'other file';
    counts.set(noun, (counts.get(noun) ?? 0) + 1);
  }
  const parts = [...counts].map(([noun, number]) => formatCount(number, noun));
  return `${new Intl.ListFormat('en').format(parts)}. What would you like to do?`;
}
