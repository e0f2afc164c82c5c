'use client';

import { formatBytes } from '../../text/quantities.ts';
import type { BatchItem, DoneState } from '../runs/batch.ts';
import { nameResults } from '../runs/result-names.ts';
import { useRunActions, useRunOutline, useRunSettings, useShownFile } from '../runs/runs-context.ts';
import type { ShownFile } from '../runs/shown-files.ts';
import { Stage } from '../stage/stage.tsx';
import type { Sides } from '../stage/view/compare-slider.tsx';
import type { ParamValues } from '../tools/fields.ts';
import { TOOLS } from '../tools/tools.ts';
import { CompareSettings } from './compare-settings.tsx';
import { nameSettings } from './name-settings.ts';
import { useCompared } from './use-compared.ts';
import { useHeldResults } from './use-held-results.ts';

const { slug: SLUG } = TOOLS['media-convert-image'];

/** Stage that compares a result with the original, or with the held result of other settings. */
export function ConvertStage() {
  const shown = useShownFile();
  return shown && <Compared shown={shown} />;
}

function Compared({ shown }: { readonly shown: ShownFile }) {
  const { values } = useRunSettings();
  const { live } = useRunActions();
  const { heldOf } = useHeldResults();
  const compared = useCompared(shown.item);
  const held = heldSide(shown.item, heldOf(shown.item), values);
  return (
    <Stage {...shown} slug={SLUG} held={held} compared={compared} showsDifference onStop={live.cancel} />
  );
}

/** Settings that hold the selected file's result while others are tried. */
export function Comparison() {
  const shown = useShownFile();
  const { values } = useRunSettings();
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
      held={holding.heldOf(item)}
      isRunning={isRunning}
      nameOf={(result) => settingsOf(result, values)}
      onHold={() => holding.hold(item, state)}
      onSwap={() => holding.swap(item, state)}
      onDrop={() => holding.drop(item)}
      onDownload={() => holding.download(item)}
    />
  );
}

/** Returns the held result as the stage compares it. */
function heldSide({ file, state }: BatchItem, held: DoneState | undefined, values: ParamValues) {
  const [named] = held ? nameResults(file, held.result) : [];
  if (!held || !named || state.phase !== 'done') return undefined;
  const words = (name: string, result: DoneState) =>
    `${name} · ${settingsOf(result, values)} · ${formatBytes(result.result.files[0]?.blob.size ?? 0)}`;
  const sides: Sides = { before: words('A', state), after: words('B', held), share: 'A', unit: 'A' };
  return { ...named, sides };
}

const settingsOf = ({ resultParams }: DoneState, values: ParamValues) => nameSettings(resultParams ?? values);
