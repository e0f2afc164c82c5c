'use client';

import { formatBytes } from '../../text/quantities.ts';
import type { BatchItem, DoneState } from '../batch/batch.ts';
import { nameResults } from '../batch/result-names.ts';
import { FoldedForm } from '../form/folded-form.tsx';
import type { Field } from '../params/fields.ts';
import type { FileRuns } from '../runs/use-file-runs.ts';
import { Stage } from '../stage/stage.tsx';
import type { Sides } from '../stage/view/compare-slider.tsx';
import { ToolFrame } from '../tool-frame/tool-frame.tsx';
import { TOOLS } from '../tools/tools.ts';
import { CompareSettings } from './compare-settings.tsx';
import { deviceSettings, ENCODER_FIELDS, GEOMETRY_FIELDS } from './device-fields.ts';
import { DEVICE_WORDING } from './device-wording.ts';
import { isStill } from './lost-frames.ts';
import { LostFramesNotice } from './lost-frames-notice.tsx';
import { nameSettings } from './name-settings.ts';
import { type HeldResultActions, useHeldResults } from './use-held-results.ts';
import { CONVERT_WORDING } from './wording.ts';

const OWN_FIELDS = [...GEOMETRY_FIELDS, ...ENCODER_FIELDS];
const { slug: SLUG } = TOOLS['media-convert-image'];

export function ConvertTool({ fields }: { readonly fields: readonly Field[] }) {
  const holding = useHeldResults();
  return (
    <ToolFrame
      operationId="media-convert-image"
      fields={fields}
      ownFields={OWN_FIELDS}
      wording={CONVERT_WORDING}
      settingsFor={deviceSettings}
      isLive
      stage={(item, runs) => {
        const shown = runs.shownOf(item);
        return (
          <Stage
            {...shown}
            slug={SLUG}
            held={heldSide(shown.item, runs, holding)}
            onStop={runs.live.cancel}
          />
        );
      }}
      notice={({ items, values }) => isStill(values) && <LostFramesNotice items={items} />}
      settings={(selected, runs) => (
        <>
          {selected && <Comparison item={runs.shownOf(selected).item} runs={runs} holding={holding} />}
          <DeviceForms runs={runs} />
        </>
      )}
    />
  );
}

interface ComparisonProps {
  readonly item: BatchItem;
  readonly runs: FileRuns;
  readonly holding: HeldResultActions;
}

function Comparison({ item, runs, holding }: ComparisonProps) {
  const { state } = item;
  if (state.phase !== 'done') return null;
  return (
    <CompareSettings
      key={item.id}
      file={item.file}
      result={state}
      held={holding.heldOf(item)}
      isRunning={runs.isRunning}
      nameOf={(result) => settingsOf(result, runs)}
      onHold={() => holding.hold(item, state, runs)}
      onSwap={() => holding.swap(item, state, runs)}
      onDrop={() => holding.drop(item)}
      onDownload={() => holding.download(item)}
    />
  );
}

/** Returns the held result as the stage compares it. */
function heldSide({ id, file, state }: BatchItem, runs: FileRuns, holding: HeldResultActions) {
  const held = holding.heldOf({ id, file, state });
  const [named] = held ? nameResults(file, held.result) : [];
  if (!held || !named || state.phase !== 'done') return undefined;
  const words = (name: string, result: DoneState) =>
    `${name} · ${settingsOf(result, runs)} · ${formatBytes(result.result.files[0]?.blob.size ?? 0)}`;
  const sides: Sides = { before: words('A', state), after: words('B', held), share: 'A', unit: 'A' };
  return { ...named, sides };
}

const settingsOf = ({ madeWith }: DoneState, { values }: FileRuns) => nameSettings(madeWith ?? values);

/** Settings that only a run on this device has, folded until somebody wants them. */
function DeviceForms({ runs }: { readonly runs: FileRuns }) {
  const { location, values, isRunning } = runs;
  if (location === 'server') return null;
  return Object.entries({ 'Rotate and resize': GEOMETRY_FIELDS, 'Encoder options': ENCODER_FIELDS }).map(
    ([title, fields]) => (
      <FoldedForm
        key={title}
        title={title}
        fields={fields}
        wording={{ fields: DEVICE_WORDING }}
        values={values}
        disabled={isRunning}
        onChange={runs.applyAndStart}
      />
    ),
  );
}
