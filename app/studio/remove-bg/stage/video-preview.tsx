'use client';

import type { ComponentProps } from 'react';
import { Clip } from '../../sound/clip.tsx';
import type { Player } from '../../sound/use-player.ts';
import { SplitView } from '../../stage/view/compare-slider.tsx';
import { StagePlane } from '../../stage/view/stage-plane.tsx';
import { BackgroundLayer } from '../background/background-layer.tsx';
import { BlurredClip } from '../background/blurred-background.tsx';
import type { BackgroundView } from '../background/use-background-view.ts';

export type VideoView = 'result' | 'compare';

interface VideoPreviewProps {
  readonly view: VideoView;
  readonly name: string;
  readonly original: Blob;
  /** Transparent result, once available. */
  readonly cutout: Blob | undefined;
  readonly background: BackgroundView;
  readonly player: Player;
}

/** Shows a video; with a cutout, the result on its background, alone or beside the original in step. */
export function VideoPreview({ view, name, original, cutout, background, player }: VideoPreviewProps) {
  const { leader, follower } = player;
  const unchanged = (options: Pick<ComponentProps<typeof Clip>, 'isMute' | 'onClip'>) => (
    <StagePlane>
      <Clip key="original" file={original} label={`${name}, original`} {...options} />
    </StagePlane>
  );
  if (!cutout) return unchanged({ onClip: player.setLeader });
  return (
    <SplitView
      isWhole={view === 'result'}
      before={unchanged({ isMute: true, onClip: player.setFollower })}
      after={
        <StagePlane>
          <BackgroundLayer background={background}>
            {background === 'blurred' && leader && follower && (
              <BlurredClip original={follower} cutout={leader} />
            )}
            <Clip key="result" file={cutout} label={`${name}, result`} onClip={player.setLeader} />
          </BackgroundLayer>
        </StagePlane>
      }
    />
  );
}
