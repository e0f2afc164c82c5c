'use client';

import { AudioLines } from 'lucide-react';
import { RUNS_MAX } from '../../../workers/bridge/run-slots.ts';
import { useLoaded } from '../../ui/hooks.ts';
import { formatBytes, formatClock, formatCount, formatSeconds } from '../../ui/quantities.ts';
import { getNoun, type MediaKind, sizeTellsTime } from '../files/media-kind.ts';
import { probeImageFile } from '../files/open-bitmap.ts';
import { Thumbnail } from '../files/thumbnail.tsx';
import { estimateSeconds, type RunTimes } from '../run-times/run-times.ts';
import { useRunTimes } from '../run-times/stored-run-times.ts';
import { prepareOnApproach } from '../tools/prepare-tool.ts';
import type { Tool } from '../tools/tool.ts';
import type { FileGroup } from './file-groups.ts';
import styles from './tool-offer.module.css';

interface FileFactsProps {
  readonly file: File;
  readonly kind: MediaKind | undefined;
}

/** Length in seconds after which a live recording is not measured further. */
const LIVE_SECONDS_MAX = 60;

/** Shortest time in seconds that is not shown as none. */
const TIME_SHOWN_MIN = 0.1;

/** Number of thumbnails next to each other. */
const THUMBNAILS_MAX = 4;

interface GroupRowProps {
  readonly group: FileGroup;
  readonly onOpen: (tool: Tool, files: readonly File[]) => void;
}

/** Files that the same tools accept: thumbnails, facts, and the tools with their time here. */
export function GroupRow({ group: { kind, files, tools, isEmpty }, onOpen }: GroupRowProps) {
  const [first] = files;
  const isOne = files.length === 1;
  const title = isOne ? (first?.name ?? '') : formatCount(files.length, kind ? getNoun(kind) : 'other file');
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
              <button
                type="button"
                className="button"
                onClick={() => onOpen(tool, files)}
                {...prepareOnApproach(tool.operationId)}
              >
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

/** Estimates the seconds that files take on this device together; undefined where one of them has no estimate. */
function estimateFiles(times: RunTimes, files: readonly File[]): number | undefined {
  const each = files.map((file) =>
    sizeTellsTime(file) ? estimateSeconds(times, file.size / 1e6) : undefined,
  );
  if (!each.every((seconds) => seconds !== undefined)) return undefined;
  return each.reduce((sum, seconds) => sum + seconds, 0) / Math.min(RUNS_MAX, files.length);
}

/** Shows a file's size in pixels, its duration and its bytes: `0:48 · 1920 × 1080 · 61 MB`. */
function FileFacts({ file, kind }: FileFactsProps) {
  // The tool says what is wrong with a file that has none.
  const facts = useLoaded(file, () => getFacts(file, kind)) ?? [];
  return <p className="facts">{[...facts, formatBytes(file.size)].join(' · ')}</p>;
}

async function getFacts(file: File, kind: MediaKind | undefined): Promise<readonly string[]> {
  if (kind === 'image') {
    const { width, height } = await probeImageFile(file);
    return [`${width} × ${height}`];
  }
  if (kind === 'video') {
    const { probeVideo } = await import('../../../models/media/containers/video-header.ts');
    const { width, height, durationSeconds } = await probeVideo(file, { secondsMax: LIVE_SECONDS_MAX });
    return [formatClock(durationSeconds), `${width} × ${height}`];
  }
  return [];
}
