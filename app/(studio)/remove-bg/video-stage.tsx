'use client';

import { useState } from 'react';
import type { VideoFacts } from '../../../models/kernels/video-header.ts';
import { probeCutoutVideo } from '../../../models/remove-bg/video-limits.ts';
import type { BatchItem } from '../frame/batch.ts';
import { FactChips } from '../frame/fact-chips.tsx';
import { resultsOf } from '../frame/results.ts';
import stage from '../frame/stage.module.css';
import { StageFailure } from '../frame/stage-failure.tsx';
import { useFacts } from '../frame/use-facts.ts';
import { UseIn } from '../frame/use-in.tsx';
import { seconds } from '../quantities.ts';
import styles from './cutout-stage.module.css';
import { Doubt } from './doubt.tsx';
import { runFacts } from './engines.ts';
import { cutoutFiles } from './finished.ts';
import { PlayerBar } from './player-bar.tsx';
import { useGround } from './use-ground.ts';
import type { Looks } from './use-looks.ts';
import { usePlayer } from './use-player.ts';
import { VideoPrint, type VideoView } from './video-print.tsx';
import { ViewChoice } from './view-choice.tsx';

interface VideoStageProps {
  readonly item: BatchItem;
  readonly slug: string;
  readonly looks: Looks;
  /** Runs again with the network of this id, for this file alone. */
  readonly onEngine: (id: string) => void;
}

const VIEWS = ['result', 'compare'] as const;
/** Where the header of a video tells nothing. */
const USUAL = { width: 16, height: 9, frameRate: 25 } as const;

/** The video being cut out, and its result before its background once there is one. */
export function VideoStage({ item, slug, looks, onEngine }: VideoStageProps) {
  const { file, state } = item;
  const [view, setView] = useState<VideoView>('result');
  const player = usePlayer();
  const facts = useFacts(file, probeCutoutVideo);
  const ground = useGround(looks.behind);
  const files = cutoutFiles(item);
  const [result] = resultsOf(item);
  return (
    <section className={stage.stage} aria-label={file.name}>
      <div className={`${stage.picture} ${styles.well}`} data-phase={state.phase}>
        <VideoPrint
          view={view}
          name={file.name}
          original={file}
          cutout={files?.cutout}
          behind={ground}
          player={player}
          shape={facts ?? USUAL}
        />
        <StageFailure state={state} />
      </div>
      <div className={styles.below}>
        {player.leader && state.phase !== 'failed' && (
          <PlayerBar
            player={player}
            stepSeconds={1 / (facts?.frameRate ?? USUAL.frameRate)}
            hasSound={facts?.hasAudio === true}
          />
        )}
        {result && (
          <div className={styles.tools}>
            <ViewChoice views={VIEWS} view={view} onView={setView} />
            <UseIn slug={slug} result={result} />
          </div>
        )}
        <Doubt item={item} onEngine={onEngine} />
        <FactChips
          item={item}
          extra={[...(facts ? [factOf(facts)] : []), ...runFacts(item)]}
          isAboutSize={false}
        />
      </div>
    </section>
  );
}

function factOf({ width, height, durationSeconds }: VideoFacts): string {
  return `${width} × ${height} · ${seconds(durationSeconds)}`;
}
