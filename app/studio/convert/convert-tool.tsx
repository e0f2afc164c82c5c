'use client';

import { FoldedForm } from '../form/folded-form.tsx';
import { useRunActions, useRunFiles, useRunOutline, useRunSettings } from '../runs/runs-context.ts';
import { ToolFrame } from '../tool-frame/tool-frame.tsx';
import type { Field } from '../tools/fields.ts';
import { Comparison, ConvertStage } from './comparison.tsx';
import { deviceSettings, ENCODER_FIELDS, GEOMETRY_FIELDS } from './device-fields.ts';
import { DEVICE_WORDING } from './device-wording.ts';
import { isStill } from './lost-frames.ts';
import { LostFramesNotice } from './lost-frames-notice.tsx';
import { CONVERT_WORDING } from './wording.ts';

const OWN_FIELDS = [...GEOMETRY_FIELDS, ...ENCODER_FIELDS];
const DEVICE_FORMS = Object.entries({
  'Rotate and resize': GEOMETRY_FIELDS,
  'Encoder options': ENCODER_FIELDS,
});

export function ConvertTool({ fields }: { readonly fields: readonly Field[] }) {
  return (
    <ToolFrame
      operationId="media-convert-image"
      fields={fields}
      ownFields={OWN_FIELDS}
      wording={CONVERT_WORDING}
      handling={{ settingsFor: deviceSettings, isLive: true }}
      stage={<ConvertStage />}
      notice={<StillNotice />}
      settings={
        <>
          <Comparison />
          <DeviceForms />
        </>
      }
    />
  );
}

function StillNotice() {
  const { values } = useRunSettings();
  const { items } = useRunFiles();
  return isStill(values) && <LostFramesNotice items={items} />;
}

/** Settings that only a run on this device has, folded until somebody wants them. */
function DeviceForms() {
  const { location, values } = useRunSettings();
  const { isRunning } = useRunOutline();
  const { applyAndStart } = useRunActions();
  if (location === 'server') return null;
  return DEVICE_FORMS.map(([title, fields]) => (
    <FoldedForm
      key={title}
      title={title}
      fields={fields}
      wording={{ fields: DEVICE_WORDING }}
      values={values}
      disabled={isRunning}
      onChange={applyAndStart}
    />
  ));
}
