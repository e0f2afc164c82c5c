'use client';

import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { ImageSize } from '../../../models/core/runtime/raster.ts';
import { useObjectUrl } from '../../ui/hooks.ts';
import { knownThumbnail, thumbnailChanges } from './known-thumbnails.ts';
import { decodeReduced, probeImageFile } from './open-bitmap.ts';
import styles from './thumbnail.module.css';

const WIDTH = 320;
/** At a width of 320, an image of 10 x 20,000 pixels would be 640,000 high: more than a canvas, or a tab, can hold. */
const HEIGHT_MAX = 4 * WIDTH;

/** Thumbnails are made one after another: forty large photos decoded at once would fill the memory. */
let queue: Promise<unknown> = Promise.resolve();

interface ThumbnailProps {
  readonly blob: Blob;
  /** Shown where the browser cannot decode the file. */
  readonly label: string;
}

/** Shows the first frame of an image or video. */
export function Thumbnail(props: ThumbnailProps) {
  const { blob } = props;
  const made = useSyncExternalStore(
    thumbnailChanges.subscribe,
    () => knownThumbnail(blob),
    () => undefined,
  );
  return blob.type.startsWith('video/') ? (
    <VideoThumbnail {...props} />
  ) : (
    <Picture {...props} blob={made ?? blob} />
  );
}

function VideoThumbnail({ blob, label }: ThumbnailProps) {
  const url = useObjectUrl(blob);
  const [brokenUrl, setBrokenUrl] = useState<string>();
  return (
    <span className={styles.thumbnail}>
      {url && url !== brokenUrl ? (
        <video src={url} muted playsInline tabIndex={-1} aria-hidden onError={() => setBrokenUrl(url)} />
      ) : (
        <span className={styles.label} aria-hidden>
          {label.slice(0, 5)}
        </span>
      )}
    </span>
  );
}

function Picture({ blob, label }: ThumbnailProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [isDrawn, setIsDrawn] = useState(false);

  useEffect(() => {
    let isWanted = true;
    const draw = async () => {
      if (!isWanted) return;
      const bitmap = await openThumbnail(blob);
      const target = canvas.current;
      if (target && isWanted) {
        target.width = bitmap.width;
        target.height = bitmap.height;
        target.getContext('2d')?.drawImage(bitmap, 0, 0);
        setIsDrawn(true);
      }
      bitmap.close();
    };
    queue = queue.then(draw).catch(() => {});
    return () => {
      isWanted = false;
    };
  }, [blob]);

  return (
    <span className={styles.thumbnail}>
      <canvas ref={canvas} hidden={!isDrawn} />
      {!isDrawn && (
        <span className={styles.label} aria-hidden>
          {label.slice(0, 5)}
        </span>
      )}
    </span>
  );
}

async function openThumbnail(blob: Blob): Promise<ImageBitmap> {
  const image = await probeImageFile(blob).catch(() => null);
  const isTall = image !== null && image.height * WIDTH > image.width * HEIGHT_MAX;
  const reduced = image && (await decodeReduced(blob, shrink(image, isTall)));
  // The browser derives the other side from the image.
  const oneSide = isTall ? { resizeHeight: HEIGHT_MAX } : { resizeWidth: WIDTH };
  return reduced ?? createImageBitmap(blob, { ...oneSide, resizeQuality: 'medium' });
}

function shrink({ width, height }: ImageSize, isTall: boolean): ImageSize {
  const scale = isTall ? HEIGHT_MAX / height : WIDTH / width;
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}
