'use client';

import { useState } from 'react';
import { useObjectUrl } from '../../ui/use-object-url.ts';
import styles from './clip.module.css';

interface ClipProps {
  readonly file: Blob;
  readonly label: string;
  /** Mutes the clip that follows another. */
  readonly isMute?: boolean;
  readonly onClip: (clip: HTMLVideoElement | null) => void;
}

/** One video on the stage. It has no own controls: a `PlayerBar` plays it. */
export function Clip({ file, label, isMute = false, onClip }: ClipProps) {
  const url = useObjectUrl(file);
  const [brokenUrl, setBrokenUrl] = useState<string>();
  if (url === undefined) return null;
  if (url === brokenUrl) return <p className={styles.said}>This browser cannot play {label}.</p>;
  return (
    <video
      ref={onClip}
      src={url}
      aria-label={label}
      muted={isMute}
      loop={!isMute}
      playsInline
      onError={() => setBrokenUrl(url)}
    />
  );
}
