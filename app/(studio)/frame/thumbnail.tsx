'use client';

import { useEffect, useRef, useState } from 'react';
import styles from './thumbnail.module.css';
import { useObjectUrl } from './use-object-url.ts';

const WIDTH = 320;

/** Thumbnails are made one after another: forty large photos decoded at once would fill the memory. */
let queue: Promise<unknown> = Promise.resolve();

interface ThumbnailProps {
  readonly blob: Blob;
  /** Shown where the browser cannot decode it itself. */
  readonly label: string;
}

/** The first a picture or a video shows. */
export function Thumbnail(props: ThumbnailProps) {
  return props.blob.type.startsWith('video/') ? <VideoThumbnail {...props} /> : <Picture {...props} />;
}

function VideoThumbnail({ blob, label }: ThumbnailProps) {
  const url = useObjectUrl(blob);
  const [brokenUrl, setBrokenUrl] = useState<string>();
  return (
    <span className={styles.thumbnail}>
      {url && url !== brokenUrl ? (
        <video src={url} muted playsInline tabIndex={-1} aria-hidden onError={() => setBrokenUrl(url)} />
      ) : (
        <span className={styles.label}>{label.slice(0, 5)}</span>
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
      const bitmap = await createImageBitmap(blob, { resizeWidth: WIDTH, resizeQuality: 'medium' });
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
      {!isDrawn && <span className={styles.label}>{label.slice(0, 5)}</span>}
    </span>
  );
}
