'use client';

import { useEffect, useState } from 'react';
import { follow } from './follow.ts';

/** Frames of WebM begin at whole milliseconds: a moment later, both clips are within the same one. */
const MOMENT_SECONDS = 0.001;

const CHANGES = ['play', 'pause', 'timeupdate', 'seeking', 'durationchange', 'volumechange'] as const;

export interface Playing {
  readonly isPlaying: boolean;
  readonly atSeconds: number;
  /** 0 until the browser knows it. */
  readonly durationSeconds: number;
  readonly isMuted: boolean;
}

export interface Player {
  /** The clip that is played, once it is there. */
  readonly leader: HTMLVideoElement | null;
  /** The one that is kept in step with it. */
  readonly follower: HTMLVideoElement | null;
  readonly playing: Playing;
  setLeader(clip: HTMLVideoElement | null): void;
  setFollower(clip: HTMLVideoElement | null): void;
  toggle(): void;
  seek(seconds: number): void;
  toggleSound(): void;
}

const RESTING: Playing = { isPlaying: false, atSeconds: 0, durationSeconds: 0, isMuted: false };

/** Plays one clip, and another in step with it. */
export function usePlayer(): Player {
  const [leader, setLeader] = useState<HTMLVideoElement | null>(null);
  const [follower, setFollower] = useState<HTMLVideoElement | null>(null);
  const [playing, setPlaying] = useState(RESTING);

  useEffect(() => {
    if (!leader) return;
    const ending = new AbortController();
    const read = () => setPlaying(playingOf(leader));
    for (const change of CHANGES) leader.addEventListener(change, read, { signal: ending.signal });
    read();
    return () => ending.abort();
  }, [leader]);

  useEffect(() => (leader && follower ? follow(leader, follower) : undefined), [leader, follower]);

  return {
    ...{ leader, follower, playing, setLeader, setFollower },
    toggle() {
      // A clip that cannot be played says so by its own event.
      if (leader?.paused) leader.play().catch(() => {});
      else leader?.pause();
    },
    seek(seconds) {
      if (leader) leader.currentTime = seconds + MOMENT_SECONDS;
    },
    toggleSound() {
      if (leader) leader.muted = !leader.muted;
    },
  };
}

function playingOf({ paused, currentTime, duration, muted }: HTMLVideoElement): Playing {
  return {
    isPlaying: !paused,
    atSeconds: currentTime,
    durationSeconds: Number.isFinite(duration) ? duration : 0,
    isMuted: muted,
  };
}
