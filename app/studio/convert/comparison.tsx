'use client';

import { useRef } from 'react';
import { useLoaded } from '../../ui/hooks.ts';
import { describeSizeChange, formatBytes } from '../../ui/quantities.ts';
import { useImageSizes } from '../files/image-sizes.ts';
import type { BatchItem, DoneState, ItemState } from '../runs/batch.ts';
import { nameResults } from '../runs/result-names.ts';
import { saveResults } from '../runs/results.ts';
import { useRunActions, useRunOutline, useRunSettings, useShownFile } from '../runs/runs-context.ts';
import type { ShownFile } from '../runs/shown-files.ts';
import { pinBlob } from '../runs/stored-results.ts';
import { useSessionState } from '../session/use-session-state.ts';
import type { Sides } from '../stage/compare-slider.tsx';
import { Stage } from '../stage/stage.tsx';
import type { Field, ParamValues } from '../tools/fields.ts';
import { TOOLS } from '../tools/tools.ts';
import styles from './convert.module.css';
import { CropStage } from './crop-stage.tsx';
import { useCropping } from './geometry-settings.tsx';
import { dropResult, type HeldResults, holdResult, swapResult } from './held-results.ts';
import { paramsFor } from './params-for.ts';
import { nameSettings } from './wording.ts';

interface CompareSettingsProps {
  readonly file: File;
  readonly result: DoneState;
  readonly held: DoneState | undefined;
  /** Names the settings of a result. */
  readonly getName: (state: DoneState) => string;
  /** Whether files are being converted, so that none can take another's place. */
  readonly isRunning: boolean;
  readonly onHold: () => void;
  readonly onSwap: () => void;
  readonly onDrop: () => void;
  readonly onDownload: () => void;
}

interface HeldResultActions {
  getHeld(item: BatchItem): DoneState | undefined;
  hold(item: BatchItem, result: DoneState): void;
  /** Exchanges the result and the held one, with their settings. */
  swap(item: BatchItem, result: DoneState): void;
  drop(item: BatchItem): void;
  download(item: BatchItem): void;
}

const NONE: HeldResults = new Map();

const { slug: SLUG } = TOOLS['media-convert-image'];

interface ConvertFields {
  /** Fields of the operation. */
  readonly fields: readonly Field[];
}

/** Stage that crops an image, or compares its result with the original or the held result of other settings. */
export function ConvertStage({ fields }: ConvertFields) {
  const shown = useShownFile();
  const { isCropping, setCropping, shape } = useCropping();
  if (!shown) return null;
  if (isCropping) {
    const onDone = () => setCropping(false);
    return <CropStage key={shown.item.id} {...shown} slug={SLUG} shape={shape} onDone={onDone} />;
  }
  return <Compared shown={shown} fields={fields} />;
}

function Compared({ shown, fields }: ConvertFields & { readonly shown: ShownFile }) {
  const { live } = useRunActions();
  const { getHeld } = useHeldResults();
  const getName = useSettingsName(fields);
  const compared = useCompared(shown.item, fields);
  const held = heldSide(shown.item, getHeld(shown.item), getName);
  return (
    <Stage {...shown} slug={SLUG} held={held} compared={compared} showsDifference onStop={live.cancel} />
  );
}

/** Settings that hold the selected file's result while others are tried. */
export function Comparison({ fields }: ConvertFields) {
  const shown = useShownFile();
  const getName = useSettingsName(fields);
  const { isRunning } = useRunOutline();
  const holding = useHeldResults();
  if (shown?.item.state.phase !== 'done') return null;
  const { item } = shown;
  const { state } = shown.item;
  return (
    <CompareSettings
      key={item.id}
      file={item.file}
      result={state}
      held={holding.getHeld(item)}
      isRunning={isRunning}
      getName={getName}
      onHold={() => holding.hold(item, state)}
      onSwap={() => holding.swap(item, state)}
      onDrop={() => holding.drop(item)}
      onDownload={() => holding.download(item)}
    />
  );
}

/** Returns the held result as the stage compares it. */
function heldSide(
  { file, state }: BatchItem,
  held: DoneState | undefined,
  getName: CompareSettingsProps['getName'],
) {
  const [named] = held ? nameResults(file, held.result) : [];
  if (!held || !named || state.phase !== 'done') return undefined;
  const words = (name: string, result: DoneState) =>
    `${name} · ${getName(result)} · ${formatBytes(result.result.files[0]?.blob.size ?? 0)}`;
  const sides: Sides = { before: words('A', state), after: words('B', held), share: 'A', unit: 'A' };
  return { ...named, sides };
}

/** Returns the function that names the settings of a result. */
function useSettingsName(fields: readonly Field[]): CompareSettingsProps['getName'] {
  const { values } = useRunSettings();
  return ({ resultParams }) => nameSettings(fields, resultParams ?? values);
}

/** Fields without which a result shows what its original does. */
const RESHAPING = ['crop', 'rotate', 'flip', 'fit', 'background'];

/**
 * Returns the image that the result of a file is compared with: the original, cropped, turned and cut as its result is.
 * Undefined until it is made.
 */
function useCompared({ id, file, state }: BatchItem, fields: readonly Field[]): Blob | undefined {
  useImageSizes();
  const params = getReshaping(file, state, fields);
  const made = useLoaded(params && JSON.stringify([id, params]), (_key, signal) =>
    // Most results need no drawing. What cannot be shown here is compared as it is.
    import('./draw-original.ts')
      .then(({ drawOriginal }) => drawOriginal(file, params ?? {}, signal))
      .catch(() => file),
  );
  return params ? made : file;
}

/** Returns the params of a result that shows something else than its original. */
function getReshaping(file: File, state: ItemState, fields: readonly Field[]): ParamValues | undefined {
  if (state.phase !== 'done' || !state.resultParams) return undefined;
  const params = paramsFor(fields, file, state.resultParams);
  return RESHAPING.some((name) => params[name] !== undefined) ? params : undefined;
}

/** Results held for a comparison, one for each file. They outlive the page. */
function useHeldResults(): HeldResultActions {
  const { live, batch, applyValues } = useRunActions();
  const { values } = useRunSettings();
  const [held, setHeld] = useSessionState<HeldResults>('media-convert-image/held', NONE);
  const keep = ({ file }: BatchItem, { result }: DoneState) => {
    // A browser without storage has nothing to keep.
    for (const named of nameResults(file, result)) void pinBlob(named.name, named.file.blob).catch(() => {});
  };
  return {
    getHeld: ({ id }) => held.get(id),
    hold(item, result) {
      keep(item, result);
      const ids = batch.view().items.map(({ id }) => id);
      setHeld(holdResult(held, item.id, { resultParams: values, ...result }, ids));
    },
    swap(item, result) {
      const swapped = swapResult(held, item.id, { resultParams: values, ...result });
      if (!swapped) return;
      keep(item, result);
      keep(item, swapped.state);
      live.cancel();
      setHeld(swapped.held);
      batch.replace(item.id, swapped.state);
      if (swapped.state.resultParams) applyValues(swapped.state.resultParams);
    },
    drop: ({ id }) => setHeld(dropResult(held, id)),
    download({ id, file }) {
      const state = held.get(id);
      if (state) void saveResults(nameResults(file, state.result), 'darkroom-convert.zip');
    },
  };
}

/** Holds the present result as B while the settings of A change. */
function CompareSettings({ file, result, held, getName, isRunning, ...actions }: CompareSettingsProps) {
  const section = useRef<HTMLElement>(null);
  /** The pressed button goes: the focus stays here. */
  const staying = (act: () => void) => () => {
    section.current?.focus({ preventScroll: true });
    act();
  };
  const getSize = ({ result: { files } }: DoneState) => files.reduce((sum, { blob }) => sum + blob.size, 0);
  const side = (name: string, state: DoneState) => (
    <div>
      <dt>{name}</dt>
      <dd>
        {getName(state)}
        <span>
          {formatBytes(getSize(state))}, {describeSizeChange(file.size, getSize(state))}
        </span>
      </dd>
    </div>
  );
  return (
    <section ref={section} className={styles.compare} tabIndex={-1} aria-label="Compare settings">
      {held ? (
        <>
          <dl className={styles.sides}>
            {side('A', result)}
            {side('B', held)}
          </dl>
          <div className={styles.actions}>
            <button type="button" className="button" onClick={actions.onDownload}>
              Download B
            </button>
            <button type="button" className="button" disabled={isRunning} onClick={actions.onSwap}>
              Swap
            </button>
            <button type="button" className="button" onClick={staying(actions.onDrop)}>
              Drop B
            </button>
          </div>
        </>
      ) : (
        <button type="button" className="button" onClick={staying(actions.onHold)}>
          Compare with other settings
        </button>
      )}
      <p role="status" className="note">
        {held ? 'B is held. The settings above change A.' : ''}
      </p>
    </section>
  );
}
