'use client';

import { useEffect, useState } from 'react';
import { useObjectUrl } from '../../ui/hooks.ts';
import { OpenInTool } from '../download/open-in-tool.tsx';
import type { NamedResult } from '../runs/result-names.ts';
import { getResults } from '../runs/results.ts';
import { useRunOutline } from '../runs/runs-context.ts';
import { PlayerBar } from '../sound/player-bar.tsx';
import { type Player, usePlayer } from '../sound/use-player.ts';
import { Clips } from '../stage/clips.tsx';
import { FactsRow, useFacts } from '../stage/facts.tsx';
import styles from '../stage/stage.module.css';
import { StagePicture } from '../stage/stage-picture.tsx';
import { StagePlane } from '../stage/stage-plane.tsx';
import { StageWell } from '../stage/stage-well.tsx';
import { useChosenView, ViewSwitch } from '../stage/view-switch.tsx';
import { TOOLS } from '../tools/tools.ts';
import { probeVideo } from './estimate.tsx';
import { Loupe } from './loupe.tsx';
import { LoupeNote } from './loupe-note.tsx';
import type { UpscaleStageProps } from './upscale-stage.tsx';
import { describeRun, getFacts, resultScale } from './upscalers.ts';
import { usePreviews } from './use-previews.ts';

/** One frame of a video. */
interface VideoFrameImage {
  /** PNG. */
  readonly image: Blob;
  readonly width: number;
  readonly height: number;
}

const { slug: SLUG } = TOOLS.upscale;

const BEFORE = { loupe: 'Loupe', original: 'Video' } as const;

const AFTER = { compare: 'Compare', result: 'Result', loupe: 'Loupe' } as const;

type View = keyof typeof BEFORE | keyof typeof AFTER;

/** Shows a video that is upscaled: a frame of it under the loupe first, then the result in step with the original. */
export function VideoStage({ shown, params, onTiming }: UpscaleStageProps) {
  const { item, renewal } = shown;
  const { file, state } = item;
  const [result] = getResults(item);
  const { isRunning } = useRunOutline();
  const player = usePlayer();
  const { view, setView, atSeconds } = useVideoView(result, player);
  const facts = useFacts(file, probeVideo);
  const isLoupe = view === 'loupe' && !isRunning && state.phase !== 'failed';
  const frame = useVideoFrame(isLoupe ? file : undefined, atSeconds);
  const preview = usePreviews({
    source: file,
    file: frame?.image,
    image: frame ?? undefined,
    params,
    onTiming,
    view: isLoupe ? view : undefined,
    isFrame: true,
  });
  const scale = (view !== 'loupe' && resultScale(item)) || preview.scale;
  const url = useObjectUrl(frame?.image);
  const isFrame = isLoupe && frame && url;
  return (
    <div className={styles.stage}>
      <StagePicture item={item} slug={SLUG} renewal={renewal} isFirst={!result}>
        <StageWell
          key={item.id}
          image={facts && { width: facts.width * scale, height: facts.height * scale }}
          phase={state.phase}
          isTransparent={false}
          label="Video view"
        >
          {isFrame ? (
            <>
              <StagePlane>
                <img src={url} alt={`${file.name}, frame`} draggable={false} />
              </StagePlane>
              <Loupe {...preview.loupe} url={url} image={frame} />
            </>
          ) : (
            <Clips
              name={file.name}
              original={file}
              result={result?.file.blob}
              isWhole={view === 'result'}
              player={player}
            />
          )}
        </StageWell>
      </StagePicture>
      <div>
        {!isFrame && state.phase !== 'failed' && <PlayerBar player={player} facts={facts} />}
        <FactsRow
          item={item}
          about={describeRun(item)}
          extra={getFacts(
            shown,
            facts,
            facts && { width: facts.width * scale, height: facts.height * scale },
          )}
        >
          {isFrame && <LoupeNote {...preview.note} />}
          {result && view !== 'loupe' && <OpenInTool slug={SLUG} result={result} />}
        </FactsRow>
      </div>
      <ViewSwitch<View> views={result ? AFTER : BEFORE} view={view} onView={setView} />
    </div>
  );
}

/** Returns the view that the visitor chose, and the frame that the loupe then shows: the one that was played last. */
function useVideoView(result: NamedResult | undefined, { playing }: Player) {
  const [atSeconds, setAtSeconds] = useState(0);
  const [view, choose] = useChosenView<View>(result?.file.blob, result ? 'compare' : 'loupe');
  const setView = (next: View) => {
    setAtSeconds(playing.atSeconds);
    choose(next);
  };
  return { view, setView, atSeconds };
}

/**
 * Reads the frame of a video at a time; undefined until then, null where this browser cannot play the video.
 * @param file undefined while none is wanted
 */
function useVideoFrame(file: File | undefined, atSeconds: number): VideoFrameImage | null | undefined {
  const [read, setRead] = useState<{ file: File; atSeconds: number; frame: VideoFrameImage | null }>();
  useEffect(() => {
    if (!file) return;
    const ending = new AbortController();
    readFrame(file, atSeconds, ending.signal).then(
      (frame) => !ending.signal.aborted && setRead({ file, atSeconds, frame }),
      () => !ending.signal.aborted && setRead({ file, atSeconds, frame: null }),
    );
    return () => ending.abort();
  }, [file, atSeconds]);
  return file && read?.file === file && read.atSeconds === atSeconds ? read.frame : undefined;
}

async function readFrame(file: File, atSeconds: number, signal: AbortSignal): Promise<VideoFrameImage> {
  const url = URL.createObjectURL(file);
  const video = document.createElement('video');
  try {
    video.muted = true;
    video.preload = 'auto';
    const isReady = happens(video, 'loadeddata', signal);
    video.src = url;
    await isReady;
    const isThere = happens(video, 'seeked', signal);
    video.currentTime = atSeconds;
    await isThere;
    const { videoWidth: width, videoHeight: height } = video;
    const canvas = new OffscreenCanvas(width, height);
    const context = canvas.getContext('2d');
    if (!context) throw new Error('no canvas');
    // A result has no transparency: it is flattened onto white.
    context.fillStyle = '#fff';
    context.fillRect(0, 0, width, height);
    context.drawImage(video, 0, 0);
    return { image: await canvas.convertToBlob({ type: 'image/png' }), width, height };
  } finally {
    video.removeAttribute('src');
    video.load();
    URL.revokeObjectURL(url);
  }
}

/** Waits for an event of a video. Rejects when the browser cannot play it, or the signal aborts. */
function happens(video: HTMLVideoElement, event: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    video.addEventListener(event, () => resolve(), { once: true, signal });
    video.addEventListener('error', () => reject(new Error('not playable')), { once: true, signal });
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
