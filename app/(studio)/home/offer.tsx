'use client';

import { ArrowRight } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { RUNS_MAX } from '../../../workers/bridge.ts';
import { ChooseFiles } from '../files/choose-files.tsx';
import { mediaKind, nounFor } from '../files/media-kind.ts';
import { estimateSeconds } from '../run-times/run-times.ts';
import { hasRunTimes, useRunTimes } from '../run-times/stored-run-times.ts';
import { bytes, count, seconds } from '../text/quantities.ts';
import { fitsTool, TOOL_LIST, type Tool } from '../tools/tools.ts';
import styles from './offer.module.css';

interface OfferProps {
  readonly files: readonly File[];
  readonly onOpen: (tool: Tool, files: readonly File[]) => void;
  readonly onBack: () => void;
  readonly onMore: (files: readonly File[]) => void;
}

/** Offers the tools that accept the dropped files. */
export function Offer({ files, onOpen, onBack, onMore }: OfferProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);

  const filesFor = (tool: Tool) => files.filter((file) => fitsTool(tool, file));
  const fitting = TOOL_LIST.filter((tool) => filesFor(tool).length > 0);
  return (
    <div className={styles.offer}>
      <h1 id="welcome" ref={heading} tabIndex={-1}>
        {describe(files)}
      </h1>
      <p className="facts">
        {bytes(files.reduce((sum, file) => sum + file.size, 0))} · on this device · 0 bytes sent
      </p>
      {fitting.length > 0 ? (
        <ul className={styles.tools}>
          {fitting.map((tool) => (
            <li key={tool.slug}>
              <button type="button" className={styles.tool} onClick={() => onOpen(tool, filesFor(tool))}>
                <strong>{tool.name}</strong>
                <span>
                  {tool.promise}
                  <LikelyTime tool={tool} files={filesFor(tool)} of={files.length} />
                </span>
                <ArrowRight size={28} strokeWidth={1.5} aria-hidden />
              </button>
            </li>
          ))}
        </ul>
      ) : (
        <p>
          No tool here supports {files.length === 1 ? 'this file' : 'these files'} yet. Choose photos or
          videos instead.
        </p>
      )}
      <div className={styles.other}>
        <ChooseFiles className="button" label="Choose other files" onFiles={onMore} />
        <button type="button" className="button button-quiet" onClick={onBack}>
          Back
        </button>
      </div>
    </div>
  );
}

interface LikelyTimeProps {
  readonly tool: Tool;
  /** Files that the tool accepts. */
  readonly files: readonly File[];
  /** Number of all files. */
  readonly of: number;
}

/** Shows how many files a tool accepts, and their estimated time on this device where earlier runs give one. */
function LikelyTime({ tool, files, of }: LikelyTimeProps) {
  const pace = useRunTimes(tool.operationId);
  const each = files.map((file) =>
    pace && hasRunTimes(file) ? estimateSeconds(pace, file.size) : undefined,
  );
  const lanes = Math.min(RUNS_MAX, files.length);
  const isKnown = each.every((time) => time !== undefined);
  const total = each.reduce<number>((sum, time) => sum + (time ?? 0), 0) / lanes;
  const parts = [
    files.length < of && `for ${files.length} of ${of}`,
    isKnown && `about ${seconds(Math.max(1, Math.round(total)))} here, based on your last ${pace?.runs} runs`,
  ].filter(Boolean);
  return parts.length > 0 && <small className="facts">{parts.join(' · ')}</small>;
}

function describe(files: readonly File[]): string {
  const counts = new Map<string, number>();
  for (const file of files) {
    const noun = mediaKind(file) ? nounFor([file]) : 'other file';
    counts.set(noun, (counts.get(noun) ?? 0) + 1);
  }
  const parts = [...counts].map(([noun, number]) => count(number, noun));
  return `${new Intl.ListFormat('en').format(parts)}. What would you like to do?`;
}
