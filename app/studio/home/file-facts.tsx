'use client';

import { useEffect, useState } from 'react';
import { formatBytes, formatClock } from '../../text/quantities.ts';
import type { MediaKind } from '../files/media-kind.ts';
import { probeImageFile } from '../files/probe-image.ts';

interface FileFactsProps {
  readonly file: File;
  readonly kind: MediaKind | undefined;
}

/** Shows a file's size in pixels, its duration and its bytes: `0:48 · 1920 × 1080 · 61 MB`. */
export function FileFacts({ file, kind }: FileFactsProps) {
  const [facts, setFacts] = useState<readonly string[]>([]);
  useEffect(() => {
    let isWanted = true;
    factsOf(file, kind).then(
      (found) => isWanted && setFacts(found),
      // The tool says what is wrong with the file.
      () => {},
    );
    return () => {
      isWanted = false;
    };
  }, [file, kind]);
  return <p className="facts">{[...facts, formatBytes(file.size)].join(' · ')}</p>;
}

/** Length in seconds after which a live recording is not measured further. */
const LIVE_SECONDS_MAX = 60;

async function factsOf(file: File, kind: MediaKind | undefined): Promise<readonly string[]> {
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
