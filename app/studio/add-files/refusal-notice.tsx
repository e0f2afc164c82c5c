'use client';

import { X } from 'lucide-react';
import { describeAccepted, type Refusal, toolsForRefused } from '../tools/refusals.ts';
import type { Tool } from '../tools/tool.ts';
import { OpenRefused } from './open-refused.tsx';
import styles from './refusal-notice.module.css';

/** Files named before the rest is counted. */
const NAMED_MAX = 3;

interface RefusalNoticeProps {
  readonly tool: Tool;
  readonly refused: readonly Refusal[];
  readonly onClose: () => void;
}

/** Says which files were skipped, why, and what the tool reads; and opens them in the tools that read them. */
export function RefusalNotice({ tool, refused, onClose }: RefusalNoticeProps) {
  if (refused.length === 0) return null;
  // Those that another tool reads first: the buttons below open them.
  const useful = new Set(refused.filter(({ file }) => file && toolsForRefused(tool, [file]).length > 0));
  const sorted = refused.toSorted((one, other) => Number(useful.has(other)) - Number(useful.has(one)));
  const named = sorted.slice(0, NAMED_MAX).map(describeRefusal);
  const others = sorted.slice(NAMED_MAX);
  return (
    <div className={styles.notice} role="alert">
      <div className={styles.words}>
        <p>
          Skipped: {named.join('; ')}
          {others.length > 0 && `; and ${others.length} more`}. {describeAccepted(tool)}
        </p>
        {others.length > 0 && (
          <details>
            <summary>Show the other {others.length === 1 ? 'file' : `${others.length} files`}</summary>
            <ul>
              {others.map((refusal) => (
                <li key={`${refusal.name} ${refusal.file?.size} ${refusal.file?.lastModified}`}>
                  {describeRefusal(refusal)}
                </li>
              ))}
            </ul>
          </details>
        )}
      </div>
      <OpenRefused tool={tool} files={refused.flatMap(({ file }) => file ?? [])} />
      <button type="button" className="button-icon" aria-label="Close this notice" onClick={onClose}>
        <X size={18} strokeWidth={1.5} aria-hidden />
      </button>
    </div>
  );
}

const describeRefusal = ({ name, reason }: Refusal): string => `${name} ${reason}`;
