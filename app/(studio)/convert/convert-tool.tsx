'use client';

import type { Field } from '../frame/fields.ts';
import { FoldedForm } from '../frame/folded-form.tsx';
import { ToolFrame } from '../frame/tool-frame.tsx';
import type { FileRuns } from '../frame/use-file-runs.ts';
import { deviceSettings, ENCODER_FIELDS, GEOMETRY_FIELDS } from './device-fields.ts';
import { DEVICE_WORDING } from './device-wording.ts';
import { CONVERT_WORDING } from './wording.ts';

const OWN_FIELDS = [...GEOMETRY_FIELDS, ...ENCODER_FIELDS];

export function ConvertTool({ fields }: { readonly fields: readonly Field[] }) {
  return (
    <ToolFrame
      operationId="media-convert-image"
      fields={fields}
      ownFields={OWN_FIELDS}
      wording={CONVERT_WORDING}
      settingsFor={deviceSettings}
      settings={(_selected, work) => <DeviceForms work={work} />}
    />
  );
}

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
