'use client';

import { lazy, Suspense } from 'react';
import { formatCount } from '../../text/quantities.ts';
import type { Field } from '../params/fields.ts';
import { useSessionState } from '../session/use-session-state.ts';
import { ToolFrame } from '../tool-frame/tool-frame.tsx';
import { ExtendSettings } from './extend-settings.tsx';
import { addsNothing } from './margins.ts';
import { EXTEND_WORDING, OWN_FIELDS, paramsFor } from './settings.ts';
import { usePickedVariants } from './use-picked-variants.ts';

// Loaded with the first file.
const ExtendStage = lazy(async () => ({ default: (await import('./extend-stage.tsx')).ExtendStage }));

/** Page of the extender: the frame's edges are dragged around the image, then one of the variants is picked. */
export function ExtendTool({ fields }: { readonly fields: readonly Field[] }) {
  const picked = usePickedVariants();
  const [, select] = useSessionState<number | undefined>('image-outpaint/selected', undefined);
  return (
    <ToolFrame
      operationId="image-outpaint"
      fields={fields}
      ownFields={OWN_FIELDS}
      wording={EXTEND_WORDING}
      keepsResults
      paramsFor={paramsFor}
      summary={(_selected, { values }) => formatCount(Number(values.num_images), 'variant')}
      savedBytesOf={(item) => picked.resultOf(item)?.file.blob.size}
      finish={async (item) => {
        const result = picked.resultOf(item);
        return result ? [result] : [];
      }}
      stage={(item, runs) => (
        <Suspense>
          <ExtendStage
            key={item.id}
            shown={runs.shownOf(item)}
            runs={runs}
            picked={picked}
            onExtendAgain={(file) => select(runs.batch.add([file]))}
          />
        </Suspense>
      )}
      settings={(selected, runs) => <ExtendSettings selected={selected} runs={runs} picked={picked} />}
      notice={({ values }) =>
        addsNothing(values) && <p role="alert">Nothing would be added. Drag an edge outwards, or zoom out.</p>
      }
    />
  );
}
