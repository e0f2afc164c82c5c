'use client';

import { type SyntheticEvent, useState } from 'react';
import type { ImageSize } from '../../../models/runtime/raster.ts';
import type { BatchItem } from '../batch/batch.ts';
import { resultsOf } from '../batch/results.ts';
import { CopyButton } from '../download/copy-button.tsx';
import { pngOf } from '../download/copy-image.ts';
import { OpenInTool } from '../download/open-in-tool.tsx';
import { probeImageFile } from '../files/probe-image.ts';
import { useViewable, type Viewable } from '../files/use-viewable.ts';
import type { ShownFile } from '../runs/shown-files.ts';
import type { FileRuns } from '../runs/use-file-runs.ts';
import { FactsRow } from '../stage/facts-row.tsx';
import { RenewalNote } from '../stage/renewal-note.tsx';
import styles from '../stage/stage.module.css';
import { StageFailure } from '../stage/stage-failure.tsx';
import { hasTransparency } from '../stage/transparency.ts';
import { useFacts } from '../stage/use-facts.ts';
import { CompareSlider } from '../stage/view/compare-slider.tsx';
import { StagePlane } from '../stage/view/stage-plane.tsx';
import { StageWell } from '../stage/view/stage-well.tsx';
import { ViewSwitch } from '../stage/view-switch.tsx';
import { Loupe } from './loupe/loupe.tsx';
import { LoupeNote } from './loupe/loupe-note.tsx';
import { RegionBar } from './region/region-bar.tsx';
import { RegionSelect } from './region/region-select.tsx';
import { factsOf, resultScale } from './result-facts.ts';
import { type PreviewParts, usePreviews } from './use-previews.ts';

export interface UpscaleStageProps {
  readonly shown: ShownFile;
  readonly slug: string;
  readonly runs: FileRuns;
  readonly params: object;
  /** Called with the seconds that the networks take for each pixel of an image, here and with the chosen settings. */
  readonly onTiming: (secondsPerPixel: number) => void;
}

const BEFORE = { loupe: 'Loupe', region: 'Region', original: 'Original' } as const;
const AFTER = { compare: 'Compare', result: 'Result', loupe: 'Loupe', region: 'Region' } as const;
type View = keyof typeof BEFORE | keyof typeof AFTER;

/** Shows an image that is upscaled: under the loupe or a region of it first, then the whole beside the original. */
export function UpscaleStage({ shown, slug, runs, params, onTiming }: UpscaleStageProps) {
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
  const isIdle = !runs.isRunning && state.phase !== 'failed' && Boolean(before);
  const preview = usePreviews({
    ...{ source: file, file, image, runs, params, onTiming },
    ...{ view: isIdle ? view : undefined, isFrame: false },
  });
  const scale = (isResultView(view) && resultScale(item)) || preview.scale;
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
        <FactsRow item={item} showsSizeChange={false} extra={factsOf(shown, image, scale)}>
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
  readonly preview: PreviewParts;
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
