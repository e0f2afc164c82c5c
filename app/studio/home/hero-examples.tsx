'use client';

import { Pause, Play } from 'lucide-react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { SampleButton } from '../add-files/sample-button.tsx';
import { CONVERSATION, LEMUR_SMALL, OTTER, type Sample, SONG } from '../files/samples.ts';
import { Example } from './example.tsx';
import styles from './hero-examples.module.css';

interface Scene {
  readonly sample: Sample;
  /** Work that the result shows, as the button to it says. */
  readonly work: string;
  readonly tryIt: string;
  /** Whether both images are shown enlarged around the sample's finest detail. */
  readonly isClose?: boolean;
  /** Recordings to listen to, by their names. */
  readonly sounds?: Readonly<Record<string, string>>;
}

/** Results that the product itself made (lab/assets/samples.ts). */
const SCENES: readonly [Scene, ...Scene[]] = [
  { sample: OTTER, work: 'Cut out', tryIt: 'Try this photo' },
  { sample: LEMUR_SMALL, work: 'Enlarged', tryIt: 'Try this photo', isClose: true },
  {
    sample: SONG,
    work: 'Split into stems',
    tryIt: 'Try this song',
    sounds: { 'the song': SONG.url, 'the vocals alone': SONG.resultUrl },
  },
  { sample: CONVERSATION, work: 'Who spoke when', tryIt: 'Try this conversation' },
];

const SCENE_MS = 7000;

interface HeroExamplesProps {
  readonly onFiles: (files: readonly File[]) => void;
}

/** Results of four tools, one after the other, until the visitor chooses one or looks closer. */
export function HeroExamples({ onFiles }: HeroExamplesProps) {
  const [place, setPlace] = useState(0);
  const [isHeld, setIsHeld] = useState(false);
  useRotation(!isHeld, () => setPlace((before) => (before + 1) % SCENES.length));
  const scene = SCENES[place] ?? SCENES[0];
  const hold = () => setIsHeld(true);
  return (
    <figure className={styles.print} onPointerDown={hold} onFocus={hold}>
      <div className={styles.example} data-close={scene.isClose}>
        <Example key={scene.sample.alt} sample={scene.sample} isFirst />
        {scene.sounds && <Sounds sounds={scene.sounds} onPlay={hold} />}
      </div>
      <figcaption>
        <div className={styles.scenes}>
          {SCENES.map(({ work }, at) => (
            <button key={work} type="button" aria-pressed={at === place} onClick={() => setPlace(at)}>
              {work}
            </button>
          ))}
        </div>
        <SampleButton sample={scene.sample} className={styles.sample} onFiles={onFiles}>
          {scene.tryIt}
        </SampleButton>
      </figcaption>
    </figure>
  );
}

/** Calls back every few seconds, unless the page is hidden or the visitor wants no movement. */
function useRotation(isOn: boolean, next: () => void): void {
  const turn = useEffectEvent(next);
  useEffect(() => {
    if (!isOn || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    const timer = setInterval(() => !document.hidden && turn(), SCENE_MS);
    return () => clearInterval(timer);
  }, [isOn]);
}

interface SoundsProps {
  readonly sounds: Readonly<Record<string, string>>;
  readonly onPlay: () => void;
}

/** Plays recordings, one at a time, each from where the other stopped. */
function Sounds({ sounds, onPlay }: SoundsProps) {
  const player = useRef<HTMLAudioElement>(null);
  const [playing, setPlaying] = useState<string>();
  const press = (name: string, url: string) => {
    const audio = player.current;
    if (!audio) return;
    onPlay();
    if (playing === name) {
      audio.pause();
      return;
    }
    const { currentTime, ended } = audio;
    audio.src = url;
    audio.currentTime = ended ? 0 : currentTime;
    setPlaying(name);
    // The button shows that nothing plays.
    audio.play().catch(() => setPlaying(undefined));
  };
  return (
    <div className={styles.sounds}>
      {Object.entries(sounds).map(([name, url]) => (
        <button
          key={name}
          type="button"
          className="button"
          aria-pressed={playing === name}
          onClick={() => press(name, url)}
        >
          {playing === name ? <Pause {...ICON} /> : <Play {...ICON} />}
          {playing === name ? 'Pause' : `Hear ${name}`}
        </button>
      ))}
      {/* biome-ignore lint/a11y/useMediaCaption: music without words of ours */}
      <audio
        ref={player}
        preload="none"
        onPause={({ currentTarget }) => currentTarget.paused && setPlaying(undefined)}
        onEnded={() => setPlaying(undefined)}
      />
    </div>
  );
}

const ICON = { size: 16, strokeWidth: 1.5, 'aria-hidden': true } as const;
