'use client';

import type { ReactNode } from 'react';
import { Clip } from '../sound/player-bar.tsx';
import type { Player } from '../sound/use-player.ts';
import { SplitView } from './compare-slider.tsx';
import { StagePlane } from './stage-plane.tsx';

interface ClipsProps {
  readonly name: string;
  readonly original: Blob;
  /** Undefined until there is one: the original is then alone. */
  readonly result: Blob | undefined;
  /** Whether the result is alone. */
  readonly isWhole: boolean;
  readonly player: Player;
  /** Adds what is behind the result. */
  readonly onBackground?: (result: ReactNode) => ReactNode;
}

/** Shows a video, then its result, alone or next to the original in step. */
export function Clips({
  name,
  original,
  result,
  isWhole,
  player,
  onBackground = (clip) => clip,
}: ClipsProps) {
  const unchanged = (isMute: boolean, onClip: Player['setLeader']) => (
    <StagePlane>
      <Clip key="original" file={original} label={`${name}, original`} isMute={isMute} onClip={onClip} />
    </StagePlane>
  );
  if (!result) return unchanged(false, player.setLeader);
  const clip = <Clip key="result" file={result} label={`${name}, result`} onClip={player.setLeader} />;
  return (
    <SplitView
      isWhole={isWhole}
      before={unchanged(true, player.setFollower)}
      after={<StagePlane>{onBackground(clip)}</StagePlane>}
    />
  );
}
