'use client';

import { useEffect, useState } from 'react';

/** Offset in seconds beyond which a playing clip seeks; a smaller one is corrected by the playback rate. */
const JUMP_SECONDS = 0.3;

const PACE_CHANGE_MAX = 0.25;

/** Share of the delay that the follower makes up per second. */
const CATCH_UP = 2;

const MOVES = ['play', 'playing', 'pause', 'seeking', 'seeked', 'timeupdate', 'ratechange'] as const;

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

/**
 * Keeps one clip in step with another: on the same frame while paused, close to it while playing.
 * @returns a function that stops it
 */
function syncClips(leader: HTMLVideoElement, follower: HTMLVideoElement): () => void {
  const align = () => {
    const behindSeconds = leader.currentTime - follower.currentTime;
    const isResting = leader.paused || leader.seeking;
    if (isResting || Math.abs(behindSeconds) > JUMP_SECONDS) {
      follower.playbackRate = leader.playbackRate;
      if (behindSeconds !== 0) follower.currentTime = leader.currentTime;
    } else {
      const change = Math.min(PACE_CHANGE_MAX, Math.max(-PACE_CHANGE_MAX, behindSeconds * CATCH_UP));
      follower.playbackRate = leader.playbackRate * (1 + change);
    }
    if (leader.paused) follower.pause();
    // A clip that may not play, or is paused before it starts, stays where it is.
    else if (follower.paused && leader.currentTime < follower.duration) follower.play().catch(() => {});
  };
  const ending = new AbortController();
  for (const move of MOVES) leader.addEventListener(move, align, { signal: ending.signal });
  follower.addEventListener('loadedmetadata', align, { signal: ending.signal });
  align();
  return () => ending.abort();
}
