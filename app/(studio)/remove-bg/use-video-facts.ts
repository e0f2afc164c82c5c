'use client';

import { useEffect, useState } from 'react';
import type { VideoFacts } from '../../../models/kernels/video-header.ts';
import { probeCutoutVideo } from '../../../models/remove-bg/video-limits.ts';

/** What the header of a video tells; undefined until it is read, and for one that cannot be worked on: running it says why. */
export function useVideoFacts(file: Blob): VideoFacts | undefined {
  const [known, setKnown] = useState<{ file: Blob; facts: VideoFacts }>();
  useEffect(() => {
    let isWanted = true;
    probeCutoutVideo(file).then(
      (facts) => isWanted && setKnown({ file, facts }),
      () => {},
    );
    return () => {
      isWanted = false;
    };
  }, [file]);
  return known?.file === file ? known.facts : undefined;
}
