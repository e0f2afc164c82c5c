'use client';

import { type SyntheticEvent, useState } from 'react';
import type { ImageSize } from '../../../models/raster.ts';
import type { BatchItem } from '../batch/batch.ts';
import { resultsOf } from '../batch/results.ts';
import { probeImageFile } from '../files/probe-image.ts';
import { CompareSlider } from '../frame/compare-slider.tsx';
import { CopyButton } from '../frame/copy-button.tsx';
import { pngOf } from '../frame/copy-image.ts';
import { FactsRow } from '../frame/facts-row.tsx';
import type { ShownFile } from '../frame/live-files.ts';
import { OpenInTool } from '../frame/open-in-tool.tsx';
import { RenewalNote } from '../frame/renewal-note.tsx';
import styles from '../frame/stage.module.css';
import { StageFailure } from '../frame/stage-failure.tsx';
import { StagePlane } from '../frame/stage-plane.tsx';
import { hasTransparency } from '../frame/stage-transparency.ts';
import { StageWell } from '../frame/stage-well.tsx';
import { useFacts } from '../frame/use-facts.ts';
import type { FileRuns } from '../frame/use-file-runs.ts';
import { useViewable, type Viewable } from '../frame/use-viewable.ts';
import { ViewSwitch } from '../frame/view-switch.tsx';
import { factsOf, madeScale } from './facts.ts';
import { Loupe } from './loupe.tsx';
import { LoupeNote } from './loupe-note.tsx';
import { RegionBar } from './region-bar.tsx';
import { RegionSelect } from './region-select.tsx';
import { type Preview, usePreviews } from './use-previews.ts';

export interface UpscaleStageProps {
  readonly shown: ShownFile;
  readonly slug: string;
  readonly work: FileRuns;
  readonly params: object;
  /** Called with the seconds that the networks take for each pixel of an image, here and with the chosen settings. */
  readonly onPace: (secondsPerPixel: number) => void;
}

const BEFORE = { loupe: 'Loupe', region: 'Region', original: 'Original' } as const;
const AFTER = { compare: 'Compare', result: 'Result', loupe: 'Loupe', region: 'Region' } as const;
type View = keyof typeof BEFORE | keyof typeof AFTER;

/** Shows an image that is upscaled: under the loupe or a region of it first, then the whole beside the original. */
export function UpscaleStage({ shown, slug, work, params, onPace }: UpscaleStageProps) {
  const { item, renewal } = shown;
  const { file, state } = item;
  const before = useViewable(file);
  const [result] = resultsOf(item);
  const after = useViewable(result?.file.blob, item.id);
  const image = useFacts(file, probeImageFile);
  const [chosen, setChosen] = useState<{ readonly result: unknown; readonly view: View }>();
  const [seen, setSeen] = useState<{ readonly file: File; readonly isTransparent: boolean }>();
  const look = ({ target }: SyntheticEvent) => {
    if (seen?.file !== file && target instanceof HTMLImageElement) {
      setSeen({ file, isTransparent: hasTransparency(target) });
    }
  };
  const initial: View = result ? 'compare' : 'loupe';
  // A new result is shown at once.
  const view = chosen && chosen.result === result?.file.blob ? chosen.view : initial;
  const isIdle = !work.isRunning && state.phase !== 'failed' && Boolean(before);
  const preview = usePreviews({
    ...{ source: file, file, image, work, params, onPace },
    ...{ view: isIdle ? view : undefined, isFrame: false },
  });
  const scale = (isResultView(view) && madeScale(item)) || preview.scale;
  const size = image && { width: image.width * scale, height: image.height * scale };
  return (
    <div className={styles.stage}>
      <div className={styles.picture} data-phase={state.phase} onLoad={look}>
        <StageWell
          key={item.id}
          image={size}
          phase={state.phase}
          isTransparent={seen?.file === file && seen.isTransparent}
        >
          <Content {...{ item, before, view, preview, image }} after={result ? after : undefined} />
        </StageWell>
        <StageFailure item={item} slug={slug} />
        {renewal && <RenewalNote progress={renewal} isFirst={!result} onStop={undefined} />}
      </div>
      {isIdle && view === 'region' ? (
        <RegionBar {...preview.bar} />
      ) : (
        <FactsRow item={item} isAboutSize={false} extra={factsOf(shown, image, scale)}>
          {isIdle && view === 'loupe' && <LoupeNote {...preview.note} />}
          {result && isResultView(view) && (
            <>
              <CopyButton key={after} make={(signal) => pngOf(result.file.blob, signal)} />
              <OpenInTool slug={slug} result={result} />
            </>
          )}
        </FactsRow>
      )}
      {before && (
        <ViewSwitch<View>
          views={result ? AFTER : BEFORE}
          view={view}
          onView={(next) => setChosen({ result: result?.file.blob, view: next })}
        />
      )}
    </div>
  );
}

interface ContentProps {
  readonly item: BatchItem;
  readonly before: Viewable;
  readonly after: Viewable;
  readonly view: View;
  readonly preview: Preview;
  readonly image: ImageSize | undefined;
}

function Content({ item, before, after, view, preview, image }: ContentProps) {
  const { file, state } = item;
  if (before === undefined) return <p className={styles.pending}>Opening {file.name}…</p>;
  if (before === null && !after) return <p className={styles.pending}>{file.name} can't be shown here.</p>;
  if (before && after && view === 'compare') {
    return <CompareSlider before={before} after={after} name={file.name} />;
  }
  const isResult = after && view === 'result';
  const isRunning = state.phase === 'running';
  return (
    <>
      <StagePlane>
        <img
          src={(isResult ? after : before) ?? undefined}
          alt={isResult ? `${file.name}, result` : file.name}
          draggable={false}
        />
      </StagePlane>
      {!isRunning && image && before && view === 'loupe' && (
        <Loupe url={before} {...preview.loupe} image={image} />
      )}
      {!isRunning && image && view === 'region' && <RegionSelect {...preview.select} image={image} />}
    </>
  );
}

const isResultView = (view: View): boolean => view === 'compare' || view === 'result';
