'use client';

import { useEffect, useState } from 'react';

/** One frame of a video. */
export interface VideoFrameImage {
  /** PNG. */
  readonly image: Blob;
  readonly width: number;
  readonly height: number;
}

/**
 * Reads the frame of a video at a time; undefined until then, null where this browser cannot play the video.
 * @param file undefined while none is wanted
 */
export function useVideoFrame(file: File | undefined, atSeconds: number): VideoFrameImage | null | undefined {
  const [read, setRead] = useState<{ file: File; atSeconds: number; frame: VideoFrameImage | null }>();
  useEffect(() => {
    if (!file) return;
    const ending = new AbortController();
    readFrame(file, atSeconds, ending.signal).then(
      (frame) => !ending.signal.aborted && setRead({ file, atSeconds, frame }),
      () => !ending.signal.aborted && setRead({ file, atSeconds, frame: null }),
    );
    return () => ending.abort();
  }, [file, atSeconds]);
  return file && read?.file === file && read.atSeconds === atSeconds ? read.frame : undefined;
}

async function readFrame(file: File, atSeconds: number, signal: AbortSignal): Promise<VideoFrameImage> {
  const url = URL.createObjectURL(file);
  const video = document.createElement('video');
  try {
    video.muted = true;
    video.preload = 'auto';
    const isReady = happens(video, 'loadeddata', signal);
    video.src = url;
    await isReady;
    const isThere = happens(video, 'seeked', signal);
    video.currentTime = atSeconds;
    await isThere;
    const { videoWidth: width, videoHeight: height } = video;
    const canvas = new OffscreenCanvas(width, height);
    const context = canvas.getContext('2d');
    if (!context) throw new Error('no canvas');
    // A result has no transparency: it is flattened onto white.
    context.fillStyle = '#fff';
    context.fillRect(0, 0, width, height);
    context.drawImage(video, 0, 0);
    return { image: await canvas.convertToBlob({ type: 'image/png' }), width, height };
  } finally {
    video.removeAttribute('src');
    video.load();
    URL.revokeObjectURL(url);
  }
}

/** Waits for an event of a video. Rejects when the browser cannot play it, or the signal aborts. */
function happens(video: HTMLVideoElement, event: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    video.addEventListener(event, () => resolve(), { once: true, signal });
    video.addEventListener('error', () => reject(new Error('not playable')), { once: true, signal });
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
