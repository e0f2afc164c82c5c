'use client';

import { lazy, Suspense } from 'react';
import { useRunSettings, useShownFile } from '../runs/runs-context.ts';
import { ToolFrame } from '../tool-frame/tool-frame.tsx';
import type { Field } from '../tools/fields.ts';
import { ExtendSettings } from './extend-settings.tsx';
import { addsNothing, describeFrame } from './margins.ts';
import { EXTEND_WORDING, OWN_FIELDS, paramsFor } from './settings.ts';
import { type PickedVariants, usePickedVariants } from './use-picked-variants.ts';

// Loaded with the first file.
const ExtendStage = lazy(async () => ({ default: (await import('./extend-stage.tsx')).ExtendStage }));

/** Page of the extender: the frame's edges are dragged around the image, then one of the variants is picked. */
export function ExtendTool({ fields }: { readonly fields: readonly Field[] }) {
  const picked = usePickedVariants();
  return (
    <ToolFrame
      operationId="image-outpaint"
      fields={fields}
      ownFields={OWN_FIELDS}
      wording={EXTEND_WORDING}
      summary={describeFrame}
      handling={{ sellsModels: true, paramsFor }}
      results={{
        getSavedBytes: (item) => picked.getResult(item)?.file.blob.size,
        finish: async (item) => {
          const result = picked.getResult(item);
          return result ? [result] : [];
        },
      }}
      stage={<SelectedImage picked={picked} />}
      settings={<ExtendSettings picked={picked} />}
      notice={<NothingAdded />}
    />
  );
}

function SelectedImage({ picked }: { readonly picked: PickedVariants }) {
  const shown = useShownFile();
  return (
    shown && (
      <Suspense>
        <ExtendStage key={shown.item.id} shown={shown} picked={picked} />
      </Suspense>
    )
  );
}

function NothingAdded() {
  const { values } = useRunSettings();
  return (
    addsNothing(values) && <p role="alert">Nothing would be added. Drag an edge outwards, or zoom out.</p>
  );
}
