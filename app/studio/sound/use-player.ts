'use client';

import { useEffect, useState } from 'react';
import { syncClips } from './sync-clips.ts';

/**
 * Offset in seconds for seeks: WebM frames start at whole milliseconds, so a moment later both clips show the same
 * frame.
 */
const MOMENT_SECONDS = 0.001;

const CHANGES = ['play', 'pause', 'timeupdate', 'seeking', 'durationchange', 'volumechange'] as const;

export interface PlaybackState {
  readonly isPlaying: boolean;
  readonly atSeconds: number;
  /** 0 until the browser reports it. */
  readonly durationSeconds: number;
  readonly isMuted: boolean;
}

export interface Player {
  /** Clip that is played, once loaded. */
  readonly leader: HTMLVideoElement | null;
  /** Clip that follows in step. */
  readonly follower: HTMLVideoElement | null;
  readonly playing: PlaybackState;
  setLeader(clip: HTMLVideoElement | null): void;
  setFollower(clip: HTMLVideoElement | null): void;
  toggle(): void;
  seek(seconds: number): void;
  toggleSound(): void;
}

const RESTING: PlaybackState = { isPlaying: false, atSeconds: 0, durationSeconds: 0, isMuted: false };

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

  useEffect(() => (leader && follower ? syncClips(leader, follower) : undefined), [leader, follower]);

  return {
    leader,
    follower,
    playing,
    setLeader,
    setFollower,
    toggle() {
      // A clip that cannot be played reports it by its own event.
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

function playingOf({ paused, currentTime, duration, muted }: HTMLVideoElement): PlaybackState {
  return {
    isPlaying: !paused,
    atSeconds: currentTime,
    durationSeconds: Number.isFinite(duration) ? duration : 0,
    isMuted: muted,
  };
}
