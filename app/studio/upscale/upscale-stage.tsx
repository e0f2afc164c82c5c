'use client';

import { type SyntheticEvent, useState } from 'react';
import type { Progress } from '../../../models/core/runtime/progress.ts';
import type { ImageSize } from '../../../models/core/runtime/raster.ts';
import { outputSize } from '../../../models/operations/upscale/plan-passes.ts';
import { CopyButton, getPng } from '../download/copy-button.tsx';
import { OpenInTool } from '../download/open-in-tool.tsx';
import { probeImageFile } from '../files/open-bitmap.ts';
import { useOpenedImage, useViewable, type Viewable } from '../files/use-viewable.ts';
import type { BatchItem } from '../runs/batch.ts';
import { getResults } from '../runs/results.ts';
import { useRunOutline } from '../runs/runs-context.ts';
import type { ShownFile } from '../runs/shown-files.ts';
import { CompareSlider } from '../stage/compare-slider.tsx';
import { FactsRow, useFacts } from '../stage/facts.tsx';
import { FocusOnDetail } from '../stage/focus.tsx';
import { RegionSelect } from '../stage/region-select.tsx';
import { ShareComparison } from '../stage/share-comparison.tsx';
import styles from '../stage/stage.module.css';
import { StagePicture } from '../stage/stage-picture.tsx';
import { StagePlane } from '../stage/stage-plane.tsx';
import { StageWell } from '../stage/stage-well.tsx';
import { hasTransparency } from '../stage/transparency.ts';
import { useChosenView, ViewSwitch } from '../stage/view-switch.tsx';
import { Waiting } from '../stage/waiting.tsx';
import { TOOLS } from '../tools/tools.ts';
import { Loupe } from './loupe.tsx';
import { LoupeNote } from './loupe-note.tsx';
import { RegionBar } from './region-bar.tsx';
import { describeRun, getFacts, resultSize, type UpscaleValues } from './upscalers.ts';
import { type PreviewParts, usePreviews } from './use-previews.ts';

export interface UpscaleStageProps {
  readonly shown: ShownFile;
  readonly params: UpscaleValues;
  /** Called with the seconds that the networks take for each pixel of an image, here and with the chosen settings. */
  readonly onTiming: (secondsPerPixel: number) => void;
}

const { slug: SLUG } = TOOLS.upscale;
const BEFORE = { loupe: 'Loupe', region: 'Region', original: 'Original' } as const;
const AFTER = { compare: 'Compare', result: 'Result', loupe: 'Loupe', region: 'Region' } as const;
type View = keyof typeof BEFORE | keyof typeof AFTER;

/** Shows an image that is upscaled: under the loupe or a region of it first, then the whole next to the original. */
export function UpscaleStage({ shown, params, onTiming }: UpscaleStageProps) {
  const { item, renewal } = shown;
  const { file, state } = item;
  const { isRunning } = useRunOutline();
  const { url: before, progress: opening } = useOpenedImage(file);
  const [result] = getResults(item);
  const after = useViewable(result?.file.blob, item.id);
  const image = useFacts(file, probeImageFile);
  const [view, setView] = useChosenView<View>(result?.file.blob, result ? 'compare' : 'loupe');
  const { isTransparent, look } = useTransparency(file);
  const isIdle = !isRunning && state.phase !== 'failed' && Boolean(before);
  const preview = usePreviews({
    source: file,
    file,
    image,
    params,
    onTiming,
    view: isIdle ? view : undefined,
    isFrame: false,
  });
  // The loupe shows the pixels of the factor.
  const { scale } = preview;
  const size =
    (isResultView(view) && resultSize(item)) ||
    (image && { width: image.width * scale, height: image.height * scale });
  const content = { item, before, opening, view, preview, image, after: result ? after : undefined };
  return (
    <div className={styles.stage}>
      <StagePicture item={item} slug={SLUG} renewal={renewal} isFirst={!result} onLoad={look}>
        <StageWell key={item.id} image={size} phase={state.phase} isTransparent={isTransparent}>
          <Content {...content} />
          {result && after && view === 'compare' && <FocusOnDetail key={after} image={result.file.blob} />}
        </StageWell>
      </StagePicture>
      {isIdle && view === 'region' ? (
        <RegionBar {...preview.bar} />
      ) : (
        <FactsRow
          item={item}
          about={describeRun(item)}
          extra={getFacts(shown, result ? undefined : image, image && outputSize(image, params))}
        >
          {isIdle && view === 'loupe' && <LoupeNote {...preview.note} />}
          {result && isResultView(view) && (
            <>
              <ShareComparison name={file.name} before={file} after={async () => result.file.blob} />
              <CopyButton key={after} make={(signal) => getPng(result.file.blob, signal)} />
              <OpenInTool slug={SLUG} result={result} />
            </>
          )}
        </FactsRow>
      )}
      {before && <ViewSwitch<View> views={result ? AFTER : BEFORE} view={view} onView={setView} />}
    </div>
  );
}

/** Looks at the first image of a file to load. */
function useTransparency(file: File) {
  const [seen, setSeen] = useState<{ readonly file: File; readonly isTransparent: boolean }>();
  const isSeen = seen?.file === file;
  const look = ({ target }: SyntheticEvent) => {
    if (!isSeen && target instanceof HTMLImageElement) {
      setSeen({ file, isTransparent: hasTransparency(target) });
    }
  };
  return { isTransparent: isSeen && seen.isTransparent, look };
}

interface ContentProps {
  readonly item: BatchItem;
  readonly before: Viewable;
  /** Progress of opening the original. */
  readonly opening: Progress | undefined;
  readonly after: Viewable;
  readonly view: View;
  readonly preview: PreviewParts;
  readonly image: ImageSize | undefined;
}

function Content({ item, before, opening, after, view, preview, image }: ContentProps) {
  const { file, state } = item;
  if (before === undefined) return <Waiting words={`Opening ${file.name}`} progress={opening} image={file} />;
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
