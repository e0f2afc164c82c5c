'use client';

import { Pause, Play, Volume2, VolumeX } from 'lucide-react';
import { useState } from 'react';
import type { VideoFacts } from '../../../models/media/containers/video-header.ts';
import { useObjectUrl } from '../../ui/hooks.ts';
import form from '../form/params-form.module.css';
import styles from './player-bar.module.css';
import type { Player } from './use-player.ts';

interface ClipProps {
  readonly file: Blob;
  readonly label: string;
  /** Mutes the clip that follows another. */
  readonly isMute?: boolean;
  readonly onClip: (clip: HTMLVideoElement | null) => void;
}

interface PlayerBarProps {
  readonly player: Player;
  /** Facts of the video; undefined until they are known. */
  readonly facts: Pick<VideoFacts, 'frameRate' | 'hasAudio'> | undefined;
}

/** Step of an arrow key where the video's header has no frame rate. */
const USUAL_FRAME_RATE = 25;

const ICON = { size: 20, strokeWidth: 1.5, 'aria-hidden': true } as const;

/** Plays, pauses and seeks; one bar for all visible clips. Renders nothing without one. */
export function PlayerBar({ player, facts }: PlayerBarProps) {
  if (!player.leader) return null;
  const { isPlaying, atSeconds, durationSeconds, isMuted } = player.playing;
  const [at, whole] = [atSeconds, durationSeconds].map((seconds) => seconds.toFixed(1));
  return (
    <fieldset className={styles.bar} disabled={durationSeconds === 0}>
      <legend className="sr-only">Player</legend>
      <button
        type="button"
        className="button-icon"
        aria-label={isPlaying ? 'Pause' : 'Play'}
        onClick={player.toggle}
      >
        {isPlaying ? <Pause {...ICON} /> : <Play {...ICON} />}
      </button>
      <input
        type="range"
        className={form.range}
        min={0}
        max={durationSeconds}
        step={1 / (facts?.frameRate ?? USUAL_FRAME_RATE)}
        value={Math.min(atSeconds, durationSeconds)}
        aria-label="Position in the video"
        aria-valuetext={`${at} of ${whole} seconds`}
        onChange={(event) => player.seek(event.currentTarget.valueAsNumber)}
      />
      <span className="facts" aria-hidden>
        {at} / {whole} s
      </span>
      {facts?.hasAudio && (
        <button
          type="button"
          className="button-icon"
          aria-label="Sound"
          aria-pressed={!isMuted}
          onClick={player.toggleSound}
        >
          {isMuted ? <VolumeX {...ICON} /> : <Volume2 {...ICON} />}
        </button>
      )}
    </fieldset>
  );
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
