'use client';

import { X } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { carryFiles } from '../files/carry.ts';
import { nounFor } from '../files/media-kind.ts';
import { count } from '../text/quantities.ts';
import { describeReads, type Refusal, toolsForRefused } from '../tools/refusals.ts';
import type { Tool } from '../tools/tools.ts';
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
  const router = useRouter();
  const openIn = ({ slug }: Tool, files: readonly File[]) => {
    carryFiles(files);
    router.push(`/${slug}`);
  };
  if (refused.length === 0) return null;
  const named = refused.slice(0, NAMED_MAX).map(({ file, reason }) => `${file.name} ${reason}`);
  const others = refused.length - named.length;
  return (
    <div className={styles.notice} role="alert">
      <p>
        Skipped: {named.join('; ')}
        {others > 0 && `; and ${others} more`}. {describeReads(tool)}
      </p>
      {toolsForRefused(refused).map(([other, files]) => (
        <button key={other.slug} type="button" className="button" onClick={() => openIn(other, files)}>
          {files.length === 1 ? 'Open it' : `Open ${count(files.length, nounFor(files))}`} in {other.name}
        </button>
      ))}
      <button type="button" className="button-icon" aria-label="Close this notice" onClick={onClose}>
        <X size={18} strokeWidth={1.5} aria-hidden />
      </button>
    </div>
  );
}
