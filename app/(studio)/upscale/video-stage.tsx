'use client';

import { useState } from 'react';
import { useObjectUrl } from '../../ui/use-object-url.ts';
import { resultsOf } from '../batch/results.ts';
import { OpenInTool } from '../download/open-in-tool.tsx';
import { Clip } from '../player/clip.tsx';
import { PlayerBar } from '../player/player-bar.tsx';
import { type Player, usePlayer } from '../player/use-player.ts';
import { FactsRow } from '../stage/facts-row.tsx';
import { RenewalNote } from '../stage/renewal-note.tsx';
import styles from '../stage/stage.module.css';
import { StageFailure } from '../stage/stage-failure.tsx';
import { useFacts } from '../stage/use-facts.ts';
import { SplitView } from '../stage/view/compare-slider.tsx';
import { StagePlane } from '../stage/view/stage-plane.tsx';
import { StageWell } from '../stage/view/stage-well.tsx';
import { ViewSwitch } from '../stage/view-switch.tsx';
import { Loupe } from './loupe/loupe.tsx';
import { LoupeNote } from './loupe/loupe-note.tsx';
import { factsOf, resultScale } from './result-facts.ts';
import type { UpscaleStageProps } from './upscale-stage.tsx';
import { usePreviews } from './use-previews.ts';
import { probeVideo } from './video/probe-video.ts';
import { useVideoFrame } from './video/use-video-frame.ts';

/** Step of an arrow key where the video's header has no frame rate. */
const USUAL_FRAME_RATE = 25;

const BEFORE = { loupe: 'Loupe', original: 'Video' } as const;
const AFTER = { compare: 'Compare', result: 'Result', loupe: 'Loupe' } as const;
type View = keyof typeof BEFORE | keyof typeof AFTER;

/** Shows a video that is upscaled: a frame of it under the loupe first, then the result in step with the original. */
export function VideoStage({ shown, slug, runs, params, onTiming }: UpscaleStageProps) {
  const { item, renewal } = shown;
  const { file, state } = item;
  const [result] = resultsOf(item);
  const [chosen, setChosen] = useState<{ readonly result: unknown; readonly view: View }>();
  const view = chosen && chosen.result === result?.file.blob ? chosen.view : result ? 'compare' : 'loupe';
  const [atSeconds, setAtSeconds] = useState(0);
  const player = usePlayer();
  const facts = useFacts(file, probeVideo);
  const isLoupe = view === 'loupe' && !runs.isRunning && state.phase !== 'failed';
  const frame = useVideoFrame(isLoupe ? file : undefined, atSeconds);
  const preview = usePreviews({
    ...{ source: file, file: frame?.image, image: frame ?? undefined, runs, params, onTiming },
    ...{ view: isLoupe ? view : undefined, isFrame: true },
  });
  const scale = (view !== 'loupe' && resultScale(item)) || preview.scale;
  const url = useObjectUrl(frame?.image);
  const isFrame = isLoupe && frame && url;
  return (
    <div className={styles.stage}>
      <div className={styles.picture} data-phase={state.phase}>
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
            <Clips name={file.name} original={file} result={result?.file.blob} view={view} player={player} />
          )}
        </StageWell>
        <StageFailure item={item} slug={slug} />
        {renewal && <RenewalNote progress={renewal} isFirst={!result} onStop={undefined} />}
      </div>
      <div>
        {!isFrame && player.leader && state.phase !== 'failed' && (
          <PlayerBar
            player={player}
            stepSeconds={1 / (facts?.frameRate ?? USUAL_FRAME_RATE)}
            hasSound={facts?.hasAudio === true}
          />
        )}
        <FactsRow item={item} showsSizeChange={false} extra={factsOf(shown, facts, scale)}>
          {isFrame && <LoupeNote {...preview.note} />}
          {result && view !== 'loupe' && <OpenInTool slug={slug} result={result} />}
        </FactsRow>
      </div>
      <ViewSwitch<View>
        views={result ? AFTER : BEFORE}
        view={view}
        onView={(next) => {
          setAtSeconds(player.playing.atSeconds);
          setChosen({ result: result?.file.blob, view: next });
        }}
      />
    </div>
  );
}

interface ClipsProps {
  readonly name: string;
  readonly original: Blob;
  readonly result: Blob | undefined;
  readonly view: View;
  readonly player: Player;
}

function Clips({ name, original, result, view, player }: ClipsProps) {
  const unchanged = (isMute: boolean, onClip: Player['setLeader']) => (
    <StagePlane>
      <Clip key="original" file={original} label={`${name}, original`} isMute={isMute} onClip={onClip} />
    </StagePlane>
  );
  if (!result) return unchanged(false, player.setLeader);
  return (
    <SplitView
      isWhole={view === 'result'}
      before={unchanged(true, player.setFollower)}
      after={
        <StagePlane>
          <Clip key="result" file={result} label={`${name}, result`} onClip={player.setLeader} />
        </StagePlane>
      }
    />
  );
}
