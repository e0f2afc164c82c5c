'use client';

import { useEffect, useState, type WheelEvent } from 'react';
import type { Player } from './sound-player.ts';
import { centreView, followTime, initialView, moveView, zoomView } from './time-view.ts';

/** Part of the time in view. It follows the player until the visitor turns that off. */
export function useTimeView(player: Player, durationSeconds: number) {
  const [view, setView] = useState(() => initialView(durationSeconds));
  const [isFollowing, setFollowing] = useState(true);
  useEffect(() => {
    if (!isFollowing) return;
    const follow = () => setView((before) => followTime(before, player.atSeconds.get(), durationSeconds));
    return player.atSeconds.subscribe(follow);
  }, [player, isFollowing, durationSeconds]);
  return {
    view,
    isFollowing,
    setFollowing,
    zoom: (factor: number) =>
      setView((before) => zoomView(before, factor, player.atSeconds.get(), durationSeconds)),
    scroll({ deltaX, deltaY, shiftKey, currentTarget }: WheelEvent) {
      const pixels = deltaX || (shiftKey ? deltaY : 0);
      const perPixel = view.seconds / currentTarget.clientWidth;
      if (pixels !== 0) {
        setView((before) => moveView(before, before.fromSeconds + pixels * perPixel, durationSeconds));
      }
    },
    goTo(seconds: number) {
      player.seek(seconds);
      setView((before) => centreView(before, seconds, durationSeconds));
    },
  };
}
