'use client';

import { AudioLines } from 'lucide-react';
import { formatBytes, formatCount, formatSeconds } from '../../text/quantities.ts';
import { nounOf } from '../files/media-kind.ts';
import { Thumbnail } from '../files/thumbnail.tsx';
import { useRunTimes } from '../run-times/stored-run-times.ts';
import type { Tool } from '../tools/tool.ts';
import { estimateFiles } from './estimate-files.ts';
import { FileFacts } from './file-facts.tsx';
import type { FileGroup } from './file-groups.ts';
import styles from './tool-offer.module.css';

/** Shortest time in seconds that is not shown as none. */
const TIME_SHOWN_MIN = 0.1;
/** Thumbnails beside each other. */
const THUMBNAILS_MAX = 4;

interface GroupRowProps {
  readonly group: FileGroup;
  readonly onOpen: (tool: Tool, files: readonly File[]) => void;
}

/** Files that the same tools accept: thumbnails, facts, and the tools with their time here. */
export function GroupRow({ group: { kind, files, tools, isEmpty }, onOpen }: GroupRowProps) {
  const [first] = files;
  const isOne = files.length === 1;
  const title = isOne ? (first?.name ?? '') : formatCount(files.length, kind ? nounOf(kind) : 'other file');
  return (
    <div className={styles.group}>
      <div className={styles.thumbnails} data-many={!isOne}>
        {files.slice(0, THUMBNAILS_MAX).map((file, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two files may share their name
          <span key={place} className={styles.thumbnail}>
            {kind === 'audio' ? (
              <AudioLines size={28} strokeWidth={1.5} aria-hidden />
            ) : (
              <Thumbnail blob={file} label={file.name.split('.').pop() ?? ''} />
            )}
          </span>
        ))}
      </div>
      <div className={styles.words}>
        <p className={styles.name}>{title}</p>
        {isOne && first ? (
          <FileFacts file={first} kind={kind} />
        ) : (
          <p className="facts">{formatBytes(files.reduce((sum, { size }) => sum + size, 0))}</p>
        )}
      </div>
      {tools.length > 0 ? (
        <ul className={styles.tools} aria-label={`Tools for ${title}`}>
          {tools.map((tool) => (
            <li key={tool.slug}>
              <button type="button" className="button" onClick={() => onOpen(tool, files)}>
                {tool.name}
                <LikelyTime tool={tool} files={files} />
              </button>
            </li>
          ))}
        </ul>
      ) : (
        <p className={styles.none}>{isEmpty ? emptiness(isOne) : noTool(isOne)}</p>
      )}
    </div>
  );
}

const emptiness = (isOne: boolean) => (isOne ? 'This file is empty.' : 'These files are empty.');
const noTool = (isOne: boolean) => `No tool here supports ${isOne ? 'this file' : 'these files'} yet.`;

interface LikelyTimeProps {
  readonly tool: Tool;
  readonly files: readonly File[];
}

/** Shows the estimated time of files on this device, where earlier runs give one. */
function LikelyTime({ tool, files }: LikelyTimeProps) {
  const times = useRunTimes(tool.operationId);
  const total = times && estimateFiles(times, files);
  if (total === undefined) return null;
  return (
    <small className="facts">
      about {formatSeconds(total < 1 ? Math.max(TIME_SHOWN_MIN, total) : Math.round(total))}
    </small>
  );
}
