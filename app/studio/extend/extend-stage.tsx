'use client';

import type { Progress } from '../../../models/core/runtime/progress.ts';
import type { ImageSize, PixelRegion } from '../../../models/core/runtime/raster.ts';
import { findCutSides } from '../../../models/operations/extend/cut-sides.ts';
import { FILL_QUALITY_LOW } from '../../../models/operations/extend/fill/estimate-fill.ts';
import { CopyButton, getPng } from '../download/copy-button.tsx';
import { OpenInTool } from '../download/open-in-tool.tsx';
import { probeImageFile } from '../files/open-bitmap.ts';
import { useOpenedImage, useViewable, type Viewable } from '../files/use-viewable.ts';
import type { BatchItem } from '../runs/batch.ts';
import type { NamedResult } from '../runs/result-names.ts';
import { getResults, saveResults } from '../runs/results.ts';
import { useRunActions, useRunOutline, useRunPlaces, useRunSettings } from '../runs/runs-context.ts';
import type { ShownFile } from '../runs/shown-files.ts';
import { describeStorage, useStoredWeights } from '../runs/stored-weights.ts';
import { useServerEngine } from '../runs/use-server-engine.ts';
import { SplitView } from '../stage/compare-slider.tsx';
import { FactsRow, useFacts } from '../stage/facts.tsx';
import frame from '../stage/stage.module.css';
import stageNoticeStyles from '../stage/stage-notice.module.css';
import { LaterFailure, StagePicture } from '../stage/stage-picture.tsx';
import { StagePlane } from '../stage/stage-plane.tsx';
import { StageWell } from '../stage/stage-well.tsx';
import { useChosenView, ViewSwitch } from '../stage/view-switch.tsx';
import { Waiting } from '../stage/waiting.tsx';
import type { ParamValues } from '../tools/fields.ts';
import { TOOLS } from '../tools/tools.ts';
import { EdgesView, marginAround, placeIn } from './edges-view.tsx';
import styles from './extend.module.css';
import { addsNothing, extentFor, type Side } from './margins.ts';
import { describeEngine, getSeeds, SIMPLE_FILL } from './settings.ts';
import { betterModel, describeCut, describeEstimate, usesSimpleFill } from './simple-fill.ts';
import { type ShownPreview, useFillPreview, useSubject } from './use-fill-preview.ts';
import type { PickedVariants } from './use-picked-variants.ts';

interface FillNoticeProps {
  readonly item: BatchItem;
  readonly preview: ShownPreview | undefined;
  /** Edges that cut the subject. */
  readonly cut: readonly Side[];
}

interface VariantGridProps {
  readonly item: BatchItem;
  readonly picked: PickedVariants;
}

const { slug: SLUG } = TOOLS['image-outpaint'];

interface ExtendStageProps {
  readonly shown: ShownFile;
  readonly picked: PickedVariants;
}

type View = 'result' | 'compare' | 'variants' | 'edges';

/** Shows the frame around an image, then its result, or its variants side by side. */
export function ExtendStage({ shown, picked }: ExtendStageProps) {
  const { item, renewal } = shown;
  const results = getResults(item);
  const result = picked.getResult(item);
  const initial = results.length > 1 ? 'variants' : result ? 'result' : 'edges';
  const [view, setView] = useChosenView<View>(results[0]?.file.blob, initial);
  const { url: before, progress: opening } = useOpenedImage(item.file);
  const after = useViewable(result?.file.blob, item.id);
  const made = useFacts<ImageSize>(result?.file.blob ?? item.file, probeImageFile);
  const image = useFacts<ImageSize>(item.file, probeImageFile);
  // A file that cannot be read has no frame to fill.
  const isForetold = useSimpleFill(item) && view === 'edges' && !renewal && item.state.phase !== 'failed';
  const { values } = useRunSettings();
  const isRunning = item.state.phase === 'running';
  const conditions = { isWanted: isForetold, isPaused: isRunning };
  const preview = useFillPreview(item.file, values, conditions);
  const subject = useSubject(item.file, conditions);
  const cut = subject && image ? findCutSides(subject, extentFor(image, values)) : [];
  return (
    <div className={frame.stage}>
      <StagePicture item={item} slug={SLUG} renewal={renewal} isFirst={!result}>
        {view === 'variants' ? (
          <VariantGrid item={item} picked={picked} />
        ) : (
          <FramedImage
            key={view}
            item={item}
            before={before}
            opening={opening}
            after={after}
            image={image}
            made={made}
            view={view}
            preview={preview}
          />
        )}
      </StagePicture>
      <FactsRow
        item={item}
        saved={result?.file.blob}
        extra={shown.isOutdated && !shown.renewal ? ['made with earlier settings'] : []}
        about={describeRun(item, picked)}
      >
        {result && <ResultUses results={results} result={result} />}
      </FactsRow>
      {isForetold && !isRunning && <FillNotice item={item} preview={preview} cut={cut} />}
      {!renewal && <LaterFailure item={item} />}
      {result && <ViewSwitch<View> views={getViews(results)} view={view} onView={setView} />}
    </div>
  );
}

/** Reports whether a run of the file would use the simple fill on this device. */
function useSimpleFill({ id }: BatchItem): boolean {
  const { values, location } = useRunSettings();
  const { fits } = useRunPlaces();
  return location === 'device' && usesSimpleFill(String(values.engine), fits.get(id)) && !addsNothing(values);
}

function getViews({ length }: readonly NamedResult[]): Partial<Record<View, string>> {
  const variants = length > 1 ? { variants: `All ${length}` } : {};
  return { result: 'Result', compare: 'Compare', ...variants, edges: 'Edges' };
}

/** Describes how the picked variant was made. */
function describeRun(item: BatchItem, picked: PickedVariants): readonly string[] {
  const engine = describeEngine(item);
  const seed = engine === SIMPLE_FILL ? undefined : getSeeds(item)[picked.indexOf(item)];
  const facts = [engine, seed !== undefined && `seed ${seed}`];
  return facts.filter((fact) => typeof fact === 'string');
}

interface FramedImageProps {
  readonly item: BatchItem;
  readonly before: Viewable;
  /** Progress of opening the original. */
  readonly opening: Progress | undefined;
  /** Picked variant. */
  readonly after: Viewable;
  readonly image: ImageSize | undefined;
  readonly made: ImageSize | undefined;
  readonly view: View;
  /** Simple fill of the frame; undefined where none is known. */
  readonly preview: ShownPreview | undefined;
}

/** Shows a result, or the original within the frame that it will have. */
function FramedImage(props: FramedImageProps) {
  const { item, before, opening, after, image, made, view, preview } = props;
  const { file, state } = item;
  const { values } = useRunSettings();
  const extent = image && extentFor(image, values);
  const room = extent ? marginAround(extent) : 0;
  const canvas = extent && { width: extent.width + 2 * room, height: extent.height + 2 * room };
  return (
    <StageWell
      image={view === 'edges' ? canvas : made}
      phase={state.phase}
      isTransparent={view === 'edges'}
      hasHandles={view === 'edges'}
    >
      {view === 'compare' && after && before && image && made ? (
        <Comparison
          before={before}
          after={after}
          name={file.name}
          made={made}
          kept={extentFor(image, resultValues(state) ?? values).kept}
        />
      ) : view !== 'edges' && after ? (
        <StagePlane>
          <img src={after} alt={`${file.name}, result`} draggable={false} />
        </StagePlane>
      ) : before && image && extent ? (
        <EdgesView
          url={before}
          name={file.name}
          image={image}
          extent={extent}
          room={room}
          preview={preview?.url}
        />
      ) : before === null ? (
        <p className={frame.pending}>{file.name} can't be shown here.</p>
      ) : (
        <Waiting words={`Opening ${file.name}`} progress={opening} image={file} />
      )}
    </StageWell>
  );
}

/** Returns the settings that a result was made with. */
function resultValues(state: BatchItem['state']): ParamValues | undefined {
  return state.phase === 'done' ? state.resultParams : undefined;
}

interface ComparisonProps {
  readonly before: string;
  readonly after: string;
  readonly name: string;
  /** Size of the result. */
  readonly made: ImageSize;
  /** Place of the original in the result. */
  readonly kept: PixelRegion;
}

/** Compares a result with the original in its place. */
function Comparison({ before, after, name, made, kept }: ComparisonProps) {
  return (
    <SplitView
      before={
        <StagePlane>
          <div className={styles.canvas} data-parts>
            <div className={styles.added} style={placeIn(made, { left: 0, top: 0, ...made })} />
            <img
              className={styles.kept}
              style={placeIn(made, kept)}
              src={before}
              alt={`${name}, original`}
              draggable={false}
            />
          </div>
        </StagePlane>
      }
      after={
        <StagePlane>
          <img src={after} alt={`${name}, result`} draggable={false} />
        </StagePlane>
      }
    />
  );
}

interface ResultUsesProps {
  readonly results: readonly NamedResult[];
  /** Picked one. */
  readonly result: NamedResult;
}

function ResultUses({ results, result }: ResultUsesProps) {
  const { name, file } = result;
  const { isRunning } = useRunOutline();
  const { batch, select } = useRunActions();
  const extendAgain = () => select(batch.add([new File([file.blob], name, { type: file.mediaType })]));
  return (
    <>
      <button type="button" className="button" disabled={isRunning} onClick={extendAgain}>
        Extend again
      </button>
      {results.length > 1 && (
        <button
          type="button"
          className="button"
          onClick={() => void saveResults(results, 'darkroom-variants.zip')}
        >
          All {results.length} as zip
        </button>
      )}
      <CopyButton key={name} make={(signal) => getPng(file.blob, signal)} />
      <OpenInTool slug={SLUG} result={result} />
    </>
  );
}

/** Shows all variants side by side. The picked one is downloaded, and extended again. */
function VariantGrid({ item, picked }: VariantGridProps) {
  const results = getResults(item);
  const seeds = getSeeds(item);
  return (
    <fieldset className={styles.variants} data-count={results.length}>
      <legend className="sr-only">Variants</legend>
      {results.map(({ name, file }, index) => (
        <label key={name}>
          <input
            type="radio"
            className="visually-hidden"
            name="variant"
            checked={picked.indexOf(item) === index}
            onChange={() => picked.pick(item, index)}
          />
          <Variant blob={file.blob} />
          <span className={styles.caption}>
            Variant {index + 1} <span className="facts">seed {seeds[index]}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

function Variant({ blob }: { readonly blob: Blob }) {
  const url = useViewable(blob);
  return url ? <img className="develops" src={url} alt="" draggable={false} /> : <span />;
}

/** Says before a run how the simple fill will do, and offers a model or the server where it will not do well. */
function FillNotice({ item, preview, cut }: FillNoticeProps) {
  const isPoor = preview !== undefined && preview.quality < FILL_QUALITY_LOW;
  const isLow = isPoor || cut.length > 0;
  const estimate = preview ? describeEstimate(preview) : 'Simple fill: estimating its quality…';
  return (
    <div className={stageNoticeStyles.notice} role="note" data-low={isLow}>
      <p>
        {describeCut(cut)} {estimate}
      </p>
      {isLow && <Alternatives item={item} />}
    </div>
  );
}

/** Offers a model that fits here; where none does, the server, which is asked only then whether it has a better one. */
function Alternatives({ item }: Pick<FillNoticeProps, 'item'>) {
  const { change, chooseLocation } = useRunActions();
  const { values } = useRunSettings();
  const { fits } = useRunPlaces();
  const stored = useStoredWeights();
  const model = betterModel(fits.get(item.id));
  const isWanted = model === undefined;
  const server = useServerEngine('image-outpaint', { items: [item], values, fits, isWanted });
  return (
    <div>
      {model && (
        <button type="button" className="button" onClick={() => change({ engine: model.id })}>
          Use {model.name}, {describeStorage([model.card], stored)}
        </button>
      )}
      {server && !server.isOnDevice && (
        <button type="button" className="button" onClick={() => chooseLocation('server')}>
          Use {server.name} on our server
        </button>
      )}
    </div>
  );
}
