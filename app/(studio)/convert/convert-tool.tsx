'use client';

import type { BatchItem, DoneState } from '../batch/batch.ts';
import { namedResults } from '../batch/result-names.ts';
import type { Sides } from '../frame/compare-slider.tsx';
import type { Field } from '../frame/fields.ts';
import { FoldedForm } from '../frame/folded-form.tsx';
import { Stage } from '../frame/stage.tsx';
import { ToolFrame } from '../frame/tool-frame.tsx';
import type { FileRuns } from '../frame/use-file-runs.ts';
import { bytes } from '../text/quantities.ts';
import { TOOLS } from '../tools/tools.ts';
import { CompareSettings } from './compare-settings.tsx';
import { deviceSettings, ENCODER_FIELDS, GEOMETRY_FIELDS } from './device-fields.ts';
import { DEVICE_WORDING } from './device-wording.ts';
import { isStill } from './lost-frames.ts';
import { LostFramesNotice } from './lost-frames-notice.tsx';
import { nameSettings } from './name-settings.ts';
import { type Holding, useHeld } from './use-held.ts';
import { CONVERT_WORDING } from './wording.ts';

const OWN_FIELDS = [...GEOMETRY_FIELDS, ...ENCODER_FIELDS];
const { slug: SLUG } = TOOLS['media-convert-image'];

export function ConvertTool({ fields }: { readonly fields: readonly Field[] }) {
  const holding = useHeld();
  return (
    <ToolFrame
      operationId="media-convert-image"
      fields={fields}
      ownFields={OWN_FIELDS}
      wording={CONVERT_WORDING}
      settingsFor={deviceSettings}
      isLive
      stage={(item, work) => {
        const shown = work.shownOf(item);
        return (
          <Stage
            {...shown}
            slug={SLUG}
            held={heldSide(shown.item, work, holding)}
            onStop={work.live.cancel}
          />
        );
      }}
      notice={({ items, values }) => isStill(values) && <LostFramesNotice items={items} />}
      settings={(selected, work) => (
        <>
          {selected && <Comparison item={work.shownOf(selected).item} work={work} holding={holding} />}
          <DeviceForms work={work} />
        </>
      )}
    />
  );
}

interface ComparisonProps {
  readonly item: BatchItem;
  readonly work: FileRuns;
  readonly holding: Holding;
}

function Comparison({ item, work, holding }: ComparisonProps) {
  const { state } = item;
  if (state.phase !== 'done') return null;
  return (
    <CompareSettings
      key={item.id}
      file={item.file}
      result={state}
      held={holding.heldOf(item)}
      isRunning={work.isRunning}
      nameOf={(result) => settingsOf(result, work)}
      onHold={() => holding.hold(item, state, work)}
      onSwap={() => holding.swap(item, state, work)}
      onDrop={() => holding.drop(item)}
      onDownload={() => holding.download(item)}
    />
  );
}

/** Returns the held result as the stage compares it. */
function heldSide({ id, file, state }: BatchItem, work: FileRuns, holding: Holding) {
  const held = holding.heldOf({ id, file, state });
  const [named] = held ? namedResults(file, held.result) : [];
  if (!held || !named || state.phase !== 'done') return undefined;
  const words = (name: string, result: DoneState) =>
    `${name} · ${settingsOf(result, work)} · ${bytes(result.result.files[0]?.blob.size ?? 0)}`;
  const sides: Sides = { before: words('A', state), after: words('B', held), share: 'A', unit: 'A' };
  return { ...named, sides };
}

const settingsOf = ({ madeWith }: DoneState, { values }: FileRuns) => nameSettings(madeWith ?? values);

/** Settings that only a run on this device has, folded until somebody wants them. */
function DeviceForms({ work }: { readonly work: FileRuns }) {
  const { where, values, isRunning } = work;
  if (where === 'server') return null;
  return Object.entries({ 'Rotate and resize': GEOMETRY_FIELDS, 'Encoder options': ENCODER_FIELDS }).map(
    ([title, fields]) => (
      <FoldedForm
        key={title}
        title={title}
        fields={fields}
        wording={{ fields: DEVICE_WORDING }}
        values={values}
        disabled={isRunning}
        onChange={work.changeAndStart}
      />
    ),
  );
}
