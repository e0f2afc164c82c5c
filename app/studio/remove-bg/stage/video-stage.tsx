'use client';

import { type ComponentProps, type ReactNode, useState } from 'react';
import type { VideoFacts } from '../../../../models/media/containers/video-header.ts';
import { probeCutoutVideo } from '../../../../models/operations/remove-bg/video-limits.ts';
import { formatSeconds } from '../../../ui/quantities.ts';
import { OpenInTool } from '../../download/open-in-tool.tsx';
import type { BatchItem } from '../../runs/batch.ts';
import { getResults } from '../../runs/results.ts';
import { Clip, PlayerBar } from '../../sound/player-bar.tsx';
import { type Player, usePlayer } from '../../sound/use-player.ts';
import { SplitView } from '../../stage/compare-slider.tsx';
import { FactsRow, useFacts } from '../../stage/facts.tsx';
import stage from '../../stage/stage.module.css';
import { StagePicture } from '../../stage/stage-picture.tsx';
import { StagePlane } from '../../stage/stage-plane.tsx';
import { StageWell } from '../../stage/stage-well.tsx';
import { ViewSwitch } from '../../stage/view-switch.tsx';
import { BackgroundLayer, type BackgroundView, useBackgroundView } from '../background-layer.tsx';
import { BlurredClip } from '../blurred-background.tsx';
import { describeRun } from '../engines.ts';
import { cutoutFiles } from '../export-cutout.ts';
import styles from './cutout-stage.module.css';
import type { ToolEdits } from './use-cutout-edits.ts';

type VideoView = 'result' | 'compare';

interface VideoPreviewProps {
  readonly view: VideoView;
  readonly name: string;
  readonly original: Blob;
  /** Transparent result, once available. */
  readonly cutout: Blob | undefined;
  readonly background: BackgroundView;
  readonly player: Player;
}

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
  const [view, setView] = useState<VideoView>('result');
  const player = usePlayer();
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
          <VideoPreview
            view={view}
            name={file.name}
            original={file}
            cutout={files?.cutout}
            background={backgroundView}
            player={player}
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

/** Shows a video; with a cutout, the result on its background, alone or next to the original in step. */
function VideoPreview({ view, name, original, cutout, background, player }: VideoPreviewProps) {
  const { leader, follower } = player;
  const unchanged = (options: Pick<ComponentProps<typeof Clip>, 'isMute' | 'onClip'>) => (
    <StagePlane>
      <Clip key="original" file={original} label={`${name}, original`} {...options} />
    </StagePlane>
  );
  if (!cutout) return unchanged({ onClip: player.setLeader });
  return (
    <SplitView
      isWhole={view === 'result'}
      before={unchanged({ isMute: true, onClip: player.setFollower })}
      after={
        <StagePlane>
          <BackgroundLayer background={background}>
            {background === 'blurred' && leader && follower && (
              <BlurredClip original={follower} cutout={leader} />
            )}
            <Clip key="result" file={cutout} label={`${name}, result`} onClip={player.setLeader} />
          </BackgroundLayer>
        </StagePlane>
      }
    />
  );
}
