'use client';

import { type ReactNode, useState } from 'react';
import type { VideoFacts } from '../../../../models/media/containers/video-header.ts';
import { probeCutoutVideo } from '../../../../models/operations/remove-bg/video-limits.ts';
import { formatSeconds } from '../../../ui/quantities.ts';
import { OpenInTool } from '../../download/open-in-tool.tsx';
import type { BatchItem } from '../../runs/batch.ts';
import { getResults } from '../../runs/results.ts';
import { PlayerBar } from '../../sound/player-bar.tsx';
import { usePlayer } from '../../sound/use-player.ts';
import { Clips } from '../../stage/clips.tsx';
import { FactsRow, useFacts } from '../../stage/facts.tsx';
import stage from '../../stage/stage.module.css';
import { StagePicture } from '../../stage/stage-picture.tsx';
import { StageWell } from '../../stage/stage-well.tsx';
import { ViewSwitch } from '../../stage/view-switch.tsx';
import { BackgroundLayer, useBackgroundView } from '../background-layer.tsx';
import { BlurredClip } from '../blurred-background.tsx';
import { describeRun } from '../engines.ts';
import { cutoutFiles } from '../export-cutout.ts';
import styles from './cutout-stage.module.css';
import type { ToolEdits } from './use-cutout-edits.ts';

interface VideoStageProps {
  readonly item: BatchItem;
  readonly slug: string;
  readonly edits: ToolEdits;
  /** Says how far the result can be trusted, and what helps. */
  readonly notice: ReactNode;
}

const VIEWS = { result: 'Result', compare: 'Compare' } as const;

/** Shows the video whose background is removed, then its result on the background. */
export function VideoStage({ item, slug, edits, notice }: VideoStageProps) {
  const { file, state } = item;
  const [view, setView] = useState<keyof typeof VIEWS>('result');
  const player = usePlayer();
  const { leader, follower } = player;
  const facts = useFacts(file, probeCutoutVideo);
  const backgroundView = useBackgroundView(edits.shared.background);
  const files = cutoutFiles(item);
  const [result] = getResults(item);
  return (
    <div className={stage.stage}>
      <StagePicture item={item} slug={slug}>
        <StageWell
          image={facts}
          phase={state.phase}
          isTransparent={files !== undefined && backgroundView === 'nothing'}
          label="Video view"
        >
          <Clips
            name={file.name}
            original={file}
            result={files?.cutout}
            isWhole={view === 'result'}
            player={player}
            onBackground={(cutout) => (
              <BackgroundLayer background={backgroundView}>
                {backgroundView === 'blurred' && leader && follower && (
                  <BlurredClip original={follower} cutout={leader} />
                )}
                {cutout}
              </BackgroundLayer>
            )}
          />
        </StageWell>
      </StagePicture>
      <div className={styles.below}>
        {state.phase !== 'failed' && <PlayerBar player={player} facts={facts} />}
        {notice}
        <FactsRow item={item} extra={facts ? [getFact(facts)] : []} about={describeRun(item)}>
          {result && <OpenInTool slug={slug} result={result} />}
        </FactsRow>
      </div>
      {result && <ViewSwitch views={VIEWS} view={view} onView={setView} />}
    </div>
  );
}

function getFact({ width, height, durationSeconds }: VideoFacts): string {
  return `${width} × ${height} · ${formatSeconds(durationSeconds)}`;
}
