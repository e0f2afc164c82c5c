'use client';

import { type ReactNode, useState } from 'react';
import type { VideoFacts } from '../../../models/files/containers/video-header.ts';
import { probeCutoutVideo } from '../../../models/remove-bg/video-limits.ts';
import type { BatchItem } from '../batch/batch.ts';
import { resultsOf } from '../batch/results.ts';
import { FactsRow } from '../frame/facts-row.tsx';
import { OpenInTool } from '../frame/open-in-tool.tsx';
import stage from '../frame/stage.module.css';
import { StageFailure } from '../frame/stage-failure.tsx';
import { StageWell } from '../frame/stage-well.tsx';
import { useFacts } from '../frame/use-facts.ts';
import { ViewSwitch } from '../frame/view-switch.tsx';
import { PlayerBar } from '../player/player-bar.tsx';
import { usePlayer } from '../player/use-player.ts';
import { seconds } from '../text/quantities.ts';
import styles from './cutout-stage.module.css';
import { runFacts } from './engines.ts';
import { cutoutFiles } from './finished.ts';
import { useBackgroundView } from './use-background-view.ts';
import type { ToolEdits } from './use-cutout-edits.ts';
import { VideoPreview, type VideoView } from './video-preview.tsx';

interface VideoStageProps {
  readonly item: BatchItem;
  readonly slug: string;
  readonly looks: ToolEdits;
  /** Says how far the result can be trusted, and what helps. */
  readonly notice: ReactNode;
}

const VIEWS = { result: 'Result', compare: 'Compare' } as const;
/** Default where the video's header has none. */
const USUAL_FRAME_RATE = 25;

/** Shows the video whose background is removed, then its result on the background. */
export function VideoStage({ item, slug, looks, notice }: VideoStageProps) {
  const { file, state } = item;
  const [view, setView] = useState<VideoView>('result');
  const player = usePlayer();
  const facts = useFacts(file, probeCutoutVideo);
  const ground = useBackgroundView(looks.behind);
  const files = cutoutFiles(item);
  const [result] = resultsOf(item);
  return (
    <div className={stage.stage}>
      <div className={stage.picture} data-phase={state.phase}>
        <StageWell
          image={facts}
          phase={state.phase}
          isTransparent={files !== undefined && ground === 'nothing'}
          label="Video view"
        >
          <VideoPreview
            view={view}
            name={file.name}
            original={file}
            cutout={files?.cutout}
            behind={ground}
            player={player}
          />
        </StageWell>
        <StageFailure item={item} slug={slug} />
      </div>
      <div className={styles.below}>
        {player.leader && state.phase !== 'failed' && (
          <PlayerBar
            player={player}
            stepSeconds={1 / (facts?.frameRate ?? USUAL_FRAME_RATE)}
            hasSound={facts?.hasAudio === true}
          />
        )}
        {notice}
        <FactsRow
          item={item}
          extra={[...(facts ? [factOf(facts)] : []), ...runFacts(item)]}
          isAboutSize={false}
        >
          {result && <OpenInTool slug={slug} result={result} />}
        </FactsRow>
      </div>
      {result && <ViewSwitch views={VIEWS} view={view} onView={setView} />}
    </div>
  );
}

function factOf({ width, height, durationSeconds }: VideoFacts): string {
  return `${width} × ${height} · ${seconds(durationSeconds)}`;
}
