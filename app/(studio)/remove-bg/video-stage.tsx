'use client';

import { type CSSProperties, useState } from 'react';
import type { BatchItem } from '../frame/batch.ts';
import { FactChips } from '../frame/fact-chips.tsx';
import { resultsOf } from '../frame/results.ts';
import stage from '../frame/stage.module.css';
import { StageFailure } from '../frame/stage-failure.tsx';
import { UseIn } from '../frame/use-in.tsx';
import { useObjectUrl } from '../frame/use-object-url.ts';
import { seconds } from '../quantities.ts';
import styles from './cutout-stage.module.css';
import view from './cutout-view.module.css';
import { runFacts } from './engines.ts';

interface VideoStageProps {
  readonly item: BatchItem;
  readonly slug: string;
}

interface VideoShape {
  readonly width: number;
  readonly height: number;
  readonly durationSeconds: number;
}

/** The video being cut out, and its result on a chequered ground once there is one. */
export function VideoStage({ item, slug }: VideoStageProps) {
  const { file, state } = item;
  const [result] = resultsOf(item);
  const url = useObjectUrl(result?.file.blob ?? file);
  const [shape, setShape] = useState<VideoShape>();
  return (
    <section className={stage.stage} aria-label={file.name}>
      <div className={`${stage.picture} ${styles.well}`} data-phase={state.phase}>
        {url && (
          <Player
            key={url}
            url={url}
            label={`${file.name}, ${result ? 'result' : 'original'}`}
            isOnChecks={result !== undefined}
            isCovered={state.phase === 'failed'}
            shape={shape}
            onShape={setShape}
          />
        )}
        <StageFailure state={state} />
      </div>
      <div className={styles.below}>
        {result && (
          <div className={styles.ways}>
            <UseIn slug={slug} result={result} />
          </div>
        )}
        <FactChips
          item={item}
          extra={[...(shape ? [factOf(shape)] : []), ...runFacts(item)]}
          isAboutSize={false}
        />
      </div>
    </section>
  );
}

interface PlayerProps {
  readonly url: string;
  readonly label: string;
  readonly isOnChecks: boolean;
  /** Then its controls could not be reached. */
  readonly isCovered: boolean;
  /** Undefined until the browser has read it. */
  readonly shape: VideoShape | undefined;
  readonly onShape: (shape: VideoShape) => void;
}

function Player({ url, label, isOnChecks, isCovered, shape, onShape }: PlayerProps) {
  const [isBroken, setIsBroken] = useState(false);
  if (isBroken) return <p className={stage.pending}>This browser cannot play {label}.</p>;
  const { width, height } = shape ?? { width: 16, height: 9 };
  return (
    <div className={view.print} style={{ '--width': width, '--height': height } as CSSProperties}>
      <div className={view.ground} data-transparent={isOnChecks}>
        <video
          src={url}
          aria-label={label}
          className={stage.single}
          controls={!isCovered}
          muted
          loop
          playsInline
          onLoadedMetadata={({ currentTarget: { videoWidth, videoHeight, duration } }) =>
            onShape({ width: videoWidth, height: videoHeight, durationSeconds: duration })
          }
          onError={() => setIsBroken(true)}
        />
      </div>
    </div>
  );
}

/** A recording that was never closed tells no duration. */
function factOf({ width, height, durationSeconds }: VideoShape): string {
  const size = `${width} × ${height}`;
  return Number.isFinite(durationSeconds) ? `${size} · ${seconds(durationSeconds)}` : size;
}
