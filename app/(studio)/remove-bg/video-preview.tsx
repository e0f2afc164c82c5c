'use client';

import { useState } from 'react';
import { SplitView } from '../frame/compare-slider.tsx';
import { StagePlane } from '../frame/stage-plane.tsx';
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
}

/** Shows a video; with a cutout, the result on its background, alone or beside the original in step. */
export function VideoPreview({ view, name, original, cutout, behind, player }: VideoPreviewProps) {
  const { leader, follower } = player;
  const unchanged = (ways: Pick<ClipProps, 'isMute' | 'onClip'>) => (
    <StagePlane>
      <Clip key="original" file={original} label={`${name}, original`} {...ways} />
    </StagePlane>
  );
  if (!cutout) return unchanged({ onClip: player.setLeader });
  return (
    <SplitView
      isWhole={view === 'result'}
      before={unchanged({ isMute: true, onClip: player.setFollower })}
      after={
        <StagePlane>
          <BackgroundLayer behind={behind}>
            {behind === 'blurred' && leader && follower && (
              <BlurredClip original={follower} cutout={leader} />
            )}
            <Clip key="result" file={cutout} label={`${name}, result`} onClip={player.setLeader} />
          </BackgroundLayer>
        </StagePlane>
      }
    />
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
