'use client';

import { lazy, Suspense } from 'react';
import type { Field } from '../frame/fields.ts';
import { ToolFrame } from '../frame/tool-frame.tsx';
import { useSessionState } from '../session/use-session-state.ts';
import { count } from '../text/quantities.ts';
import { ExtendSettings } from './extend-settings.tsx';
import { addsNothing } from './margins.ts';
import { EXTEND_WORDING, OWN_FIELDS, paramsFor } from './settings.ts';
import { usePicked } from './use-picked.ts';

// Loaded with the first file.
const ExtendStage = lazy(async () => ({ default: (await import('./extend-stage.tsx')).ExtendStage }));

/** Page of the extender: the frame's edges are dragged around the image, then one of the variants is picked. */
export function ExtendTool({ fields }: { readonly fields: readonly Field[] }) {
  const picked = usePicked();
  const [, select] = useSessionState<number | undefined>('image-outpaint/selected', undefined);
  return (
    <ToolFrame
      operationId="image-outpaint"
      fields={fields}
      ownFields={OWN_FIELDS}
      wording={EXTEND_WORDING}
      keepsResults
      paramsFor={paramsFor}
      summary={(_selected, { values }) => count(Number(values.num_images), 'variant')}
      savedBytesOf={(item) => picked.resultOf(item)?.file.blob.size}
      finish={async (item) => {
        const result = picked.resultOf(item);
        return result ? [result] : [];
      }}
      stage={(item, work) => (
        <Suspense>
          <ExtendStage
            key={item.id}
            shown={work.shownOf(item)}
            work={work}
            picked={picked}
            onExtendAgain={(file) => select(work.batch.add([file]))}
          />
        </Suspense>
      )}
      settings={(selected, work) => <ExtendSettings selected={selected} work={work} picked={picked} />}
      notice={({ values }) =>
        addsNothing(values) && <p role="alert">Nothing would be added. Drag an edge outwards, or zoom out.</p>
      }
    />
  );
}
