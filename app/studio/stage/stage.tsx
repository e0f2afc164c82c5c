'use client';

import { type SyntheticEvent, useState } from 'react';
import type { Progress } from '../../../models/core/runtime/progress.ts';
import type { ImageSize } from '../../../models/core/runtime/raster.ts';
import { useAbortOnUnmount } from '../../ui/hooks.ts';
import { CopyButton, getPng } from '../download/copy-button.tsx';
import { OpenInTool } from '../download/open-in-tool.tsx';
import { describeFailure } from '../failures/describe-failure.ts';
import { probeImageFile } from '../files/open-bitmap.ts';
import { useOpenedImage, useViewable, type Viewable } from '../files/use-viewable.ts';
import type { BatchItem } from '../runs/batch.ts';
import type { NamedResult } from '../runs/result-names.ts';
import { getResults } from '../runs/results.ts';
import { CompareSlider, type Sides } from './compare-slider.tsx';
import { FactsRow, useFacts } from './facts.tsx';
import { findDifference } from './focus.tsx';
import { ShareComparison } from './share-comparison.tsx';
import styles from './stage.module.css';
import { useStage } from './stage-context.ts';
import overlay from './stage-overlay.module.css';
import { LaterFailure, StagePicture } from './stage-picture.tsx';
import { StagePlane } from './stage-plane.tsx';
import { StageWell } from './stage-well.tsx';
import { hasTransparency } from './transparency.ts';
import { ViewSwitch } from './view-switch.tsx';
import { Waiting } from './waiting.tsx';

interface DifferenceButtonProps {
  readonly before: Blob;
  readonly after: Blob;
}

interface StageProps {
  readonly item: BatchItem;
  /** Tool that this stage belongs to. */
  readonly slug: string;
  /** Progress of a run that makes a new result, while the old one is shown. */
  readonly renewal?: Progress | undefined;
  /** Whether that run can be stopped alone. */
  readonly isLiveRun?: boolean;
  /** Whether the result comes from other settings than the chosen ones. */
  readonly isOutdated?: boolean;
  /** Another result of the same image, which the result is then compared with. */
  readonly held?: HeldResult | undefined;
  /** Image that the result is compared with otherwise; undefined until it is made. */
  readonly compared?: Blob | undefined;
  /** Whether the result has the pixels of that image, so that what changed can be found. */
  readonly showsDifference?: boolean;
  readonly onStop: () => void;
}

interface HeldResult extends NamedResult {
  /** Words for the result and the held one. */
  readonly sides: Sides;
}

const VIEWS = { result: 'Result', compare: 'Compare', original: 'Original' } as const;

const VIEWS_WITH_HELD = { result: 'A', compare: 'Compare', held: 'B', original: 'Original' } as const;

type View = keyof typeof VIEWS_WITH_HELD;

/** Shows the selected image as large as possible: before, during and after the run. */
export function Stage(props: StageProps) {
  const { item, slug, renewal, isLiveRun, isOutdated = false, held, showsDifference, onStop } = props;
  const { file, state } = item;
  const [result] = getResults(item);
  const compared = 'compared' in props ? props.compared : file;
  const { view, before, reference, after, other, opening, setView } = useStageView(item, held, compared);
  const { known, measure, image } = useFirstImage(file, shownResult(view, result, held));
  const pair = before && after ? getPair(result, other ? held : undefined, compared) : undefined;
  return (
    <div className={styles.stage}>
      <StagePicture
        item={item}
        slug={slug}
        renewal={renewal}
        isFirst={!result}
        onStop={isLiveRun ? onStop : undefined}
        onLoad={measure}
      >
        <StageWell
          key={item.id}
          image={image}
          phase={state.phase}
          isTransparent={known?.isTransparent === true}
        >
          <StageImages
            item={item}
            held={held}
            view={view}
            before={before}
            reference={reference}
            after={after}
            other={other}
            opening={opening}
          />
          {pair && showsDifference && view === 'compare' && (
            <DifferenceButton before={pair.before} after={pair.after} />
          )}
        </StageWell>
      </StagePicture>
      <FactsRow item={item} extra={isOutdated && !renewal ? OUTDATED : NOTHING}>
        {result && (
          <>
            {pair && (
              <ShareComparison
                name={file.name}
                before={pair.before}
                after={async () => pair.after}
                words={pair.words}
              />
            )}
            <CopyButton key={after} make={(signal) => getPng(result.file.blob, signal)} />
            <OpenInTool slug={slug} result={result} />
          </>
        )}
      </FactsRow>
      {isOutdated && <LaterFailure item={item} />}
      {before && after && (
        <ViewSwitch<View> views={held ? VIEWS_WITH_HELD : VIEWS} view={view} onView={setView} />
      )}
    </div>
  );
}

/** Returns the two images that the stage compares, with words for them; undefined without a result. */
function getPair(result: NamedResult | undefined, held: HeldResult | undefined, compared: Blob | undefined) {
  if (result && held) return { before: result.file.blob, after: held.file.blob, words: held.sides };
  return result && compared && { before: compared, after: result.file.blob, words: undefined };
}

/** Returns the result whose shape a view has; undefined where the original is alone. */
function shownResult(view: View, result: NamedResult | undefined, held: HeldResult | undefined) {
  if (view === 'original') return undefined;
  return (view === 'held' ? held : result)?.file.blob;
}

/** Returns the images of a file, and the view of them that the visitor chose. */
function useStageView(item: BatchItem, held: HeldResult | undefined, compared: Blob | undefined) {
  const [result] = getResults(item);
  const { url: before, progress: opening } = useOpenedImage(item.file);
  const adjusted = useViewable(compared === item.file ? undefined : compared);
  const reference = compared === item.file ? before : adjusted;
  const after = useViewable(result?.file.blob, item.id);
  const other = useViewable(held?.file.blob);
  const [chosen, setView] = useState<View>('compare');
  const view = chosen === 'held' && !held ? 'result' : chosen;
  return { view, before, reference, after, other, opening, setView };
}

/**
 * Measures the first image to load: the original wherever it can be shown. Both sides share its box, unless the result
 * has another shape.
 * @param result that is shown with the original or alone; undefined where the original is alone
 */
function useFirstImage(file: File, result: Blob | undefined) {
  const [shown, setShown] = useState<{ file: File; image: ImageSize; isTransparent: boolean }>();
  const known = shown?.file === file ? shown : undefined;
  const original = useFacts<ImageSize>(file, probeImageFile) ?? known?.image;
  const made = useFacts<ImageSize>(result, probeImageFile);
  const image = original && made && !haveSameShape(original, made) ? made : original;
  const measure = ({ target }: SyntheticEvent) => {
    if (known || !(target instanceof HTMLImageElement)) return;
    const image = { width: target.naturalWidth, height: target.naturalHeight };
    setShown({ file, image, isTransparent: hasTransparency(target) });
  };
  return { known, measure, image: known && image };
}

/** Whether a result has the shape of its original, as far as whole pixels allow. */
function haveSameShape(original: ImageSize, made: ImageSize): boolean {
  const difference = Math.abs(original.width * made.height - original.height * made.width);
  return difference <= (original.width + original.height) / 2;
}

interface StageImagesProps extends Pick<StageProps, 'item' | 'held'> {
  readonly view: View;
  readonly before: Viewable;
  /** Image that the result is compared with. */
  readonly reference: Viewable;
  readonly after: Viewable;
  /** Held result. */
  readonly other: Viewable;
  /** Progress of opening the original. */
  readonly opening: Progress | undefined;
}

/** Shows two images next to each other, or one. */
function StageImages(props: StageImagesProps) {
  const { item, held, view, before, reference, after, other, opening } = props;
  const { file, state } = item;
  const left = other ? after : reference;
  if (before && left && after && view === 'compare') {
    const sides = { before: left, after: other ?? after };
    return <CompareSlider {...sides} name={file.name} sides={other ? held?.sides : undefined} />;
  }
  const isAlone = before && after;
  const shownAlone = { result: after, held: other, original: before, compare: after }[view];
  return (
    <Single
      url={(isAlone ? shownAlone : before) ?? after}
      name={isAlone ? `${file.name}, ${VIEW_NAMES[view]}` : file.name}
      isFailed={state.phase === 'failed'}
      image={file}
      opening={opening}
    />
  );
}

const VIEW_NAMES = {
  result: 'result',
  held: 'held result',
  original: 'original',
  compare: 'result',
} as const;

const OUTDATED = ['made with earlier settings'];

const NOTHING: readonly string[] = [];

interface SingleProps {
  readonly url: Viewable;
  readonly name: string;
  /** Whether the image cannot be shown; the stage then gives the reason instead. */
  readonly isFailed: boolean;
  readonly image: Blob;
  readonly opening: Progress | undefined;
}

function Single({ url, name, isFailed, image, opening }: SingleProps) {
  const [brokenUrl, setBrokenUrl] = useState<string>();
  if (url === undefined) return <Waiting words={`Opening ${name}`} progress={opening} image={image} />;
  if (url === null || url === brokenUrl) {
    return isFailed ? null : <p className={styles.pending}>{name} can't be shown here.</p>;
  }
  return (
    <StagePlane>
      <img src={url} alt={name} draggable={false} onError={() => setBrokenUrl(url)} />
    </StagePlane>
  );
}

/** Shows the region in which two states of an image differ most, at 100 or 200 %. */
function DifferenceButton({ before, after }: DifferenceButtonProps) {
  const stage = useStage();
  const leaving = useAbortOnUnmount();
  const [said, say] = useState('Largest difference');
  if (!stage) return null;
  const show = async () => {
    const signal = leaving.begin();
    say('Comparing…');
    try {
      const point = await findDifference(before, after, signal);
      if (signal.aborted) return;
      stage.focusOn(point);
      say('Largest difference');
    } catch (error) {
      if (!signal.aborted) say(describeFailure(error));
    }
  };
  return (
    <div className={`${overlay.overlay} ${styles.place}`}>
      <button type="button" onClick={() => void show()}>
        {said}
      </button>
    </div>
  );
}
