'use client';

import type { Field } from '../frame/fields.ts';
import { ToolFrame } from '../frame/tool-frame.tsx';
import { TOOLS } from '../tools.ts';
import { BehindChoice } from './behind-choice.tsx';
import { CutoutStage } from './cutout-stage.tsx';
import { FindingChoice } from './finding-choice.tsx';
import { finishedResult } from './finished.ts';
import { FORMAT_NAMES, FormatChoice } from './format-choice.tsx';
import { useLooks } from './use-looks.ts';
import { REMOVE_BG_WORDING } from './wording.ts';

interface RemoveBgToolProps {
  readonly fields: readonly Field[];
}

/**
 * Cutouts are always made transparent and without loss; background, format and retouching are laid over them on the
 * page, and into the file when it is taken.
 */
export function RemoveBgTool({ fields }: RemoveBgToolProps) {
  const looks = useLooks();
  return (
    <ToolFrame
      operationId="remove-bg"
      fields={fields}
      wording={REMOVE_BG_WORDING}
      summary={`Background · ${FORMAT_NAMES[looks.format]}`}
      startsAtOnce
      finish={(item) => finishedResult(item, looks.lookOf(item.id))}
      stage={(item, work) => (
        <CutoutStage
          key={item.id}
          item={item}
          slug={TOOLS['remove-bg'].slug}
          looks={looks}
          onEngine={(engine) => work.changeAndStart({ ...work.values, engine })}
        />
      )}
      settings={(work) => (
        <>
          <BehindChoice behind={looks.behind} onBehind={looks.setBehind} />
          <FormatChoice format={looks.format} onFormat={looks.setFormat} />
          <FindingChoice work={work} />
        </>
      )}
    />
  );
}
