'use client';

import { type CSSProperties, useState } from 'react';
import { SplitView } from '../frame/compare-slider.tsx';
import stage from '../frame/stage.module.css';
import { useObjectUrl } from '../frame/use-object-url.ts';
import { BackgroundLayer } from './background-layer.tsx';
import { BlurredClip } from './blurred-background.tsx';
import styles from './cutout-view.module.css';
import type { BackgroundView } from './use-background-view.ts';
import type { Player } from './use-player.ts';

export type VideoView = 'result' | 'compare';

interface VideoPreviewProps {
  readonly view: VideoView;
  readonly name: string;
  readonly original: Blob;
  /** Transparent result, once available. */
  readonly cutout: Blob | undefined;
  readonly behind: BackgroundView;
  readonly player: Player;
  /** Shape of the image, in any unit. */
  readonly shape: { readonly width: number; readonly height: number };
}

/** Shows a video; with a cutout, the result on its background, alone or beside the original in step. */
export function VideoPreview({ view, name, original, cutout, behind, player, shape }: VideoPreviewProps) {
  const { width, height } = shape;
  const { leader, follower } = player;
  return (
    <div className={styles.print} style={{ '--width': width, '--height': height } as CSSProperties}>
      {cutout ? (
        <SplitView
          isWhole={view === 'result'}
          before={
            <Clip
              key="original"
              file={original}
              label={`${name}, original`}
              isMute
              onClip={player.setFollower}
            />
          }
          after={
            <BackgroundLayer behind={behind}>
              {behind === 'blurred' && leader && follower && (
                <BlurredClip original={follower} cutout={leader} />
              )}
              <Clip key="result" file={cutout} label={`${name}, result`} onClip={player.setLeader} />
            </BackgroundLayer>
          }
        />
      ) : (
        <Clip file={original} label={`${name}, original`} onClip={player.setLeader} />
      )}
    </div>
  );
}

interface ClipProps {
  readonly file: Blob;
  readonly label: string;
  /** Mutes the clip that follows another. */
  readonly isMute?: boolean;
  readonly onClip: (clip: HTMLVideoElement | null) => void;
}

function Clip({ file, label, isMute = false, onClip }: ClipProps) {
  const url = useObjectUrl(file);
  const [brokenUrl, setBrokenUrl] = useState<string>();
  if (url === undefined) return null;
  if (url === brokenUrl)
    return <p className={`${stage.pending} ${styles.said}`}>This browser cannot play {label}.</p>;
  return (
    <video
      ref={onClip}
      src={url}
      aria-label={label}
      className={stage.single}
      muted={isMute}
      loop={!isMute}
      playsInline
      onError={() => setBrokenUrl(url)}
    />
  );
}
