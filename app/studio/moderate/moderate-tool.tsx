'use client';

import { useState } from 'react';
import type { BatchItem } from '../runs/batch.ts';
import type { FileHandling } from '../runs/file-handling.ts';
import { reportOf } from '../runs/results.ts';
import { ToolFrame } from '../tool-frame/tool-frame.tsx';
import { TOOLS } from '../tools/tools.ts';
import type { Wording } from '../tools/wording.ts';
import { FullModelOffer } from './full-model-offer.tsx';
import { isPartial, MODEL_FIELD, paramsFor } from './models.ts';
import { ModerateStage, type ModerateView } from './moderate-stage.tsx';
import { SeverityMeanings } from './severity-meanings.tsx';
import { ThresholdField, useThreshold } from './threshold.tsx';
import { reportDetails, SEVERITY_NAMES, severitiesOf, summariseVerdict } from './verdict.ts';

const { suffix: SUFFIX } = TOOLS['image-moderation'];
const NO_FIELDS = [] as const;
const OWN_FIELDS = [MODEL_FIELD];

const WORDING: Wording = {
  lead: 'Four categories of harm. Low does not mean safe.',
  verb: 'Check',
  showsSizeChange: false,
  fields: {},
};

const HANDLING: Partial<FileHandling> = {
  startsAutomatically: () => true,
  keepsResults: true,
  improvesOnServer: isPartial,
  paramsFor: (_file, values, location) => paramsFor(values, location),
};

/** Page of the moderator. A run finds severities; the page flags by a threshold that changes at any time. */
export function ModerateTool() {
  const [threshold, setThreshold] = useThreshold();
  const [view, setView] = useState<ModerateView>('table');
  const verdictOf = (item: BatchItem) => {
    const severities = severitiesOf(item);
    return severities && summariseVerdict(severities, threshold);
  };
  return (
    <ToolFrame
      operationId="image-moderation"
      fields={NO_FIELDS}
      ownFields={OWN_FIELDS}
      wording={WORDING}
      summary={() => `Flag from ${SEVERITY_NAMES[threshold]}`}
      handling={HANDLING}
      results={{
        verdictOf,
        finish: async (item) => {
          const severities = severitiesOf(item);
          return severities ? [reportOf(item.file, reportDetails(severities, threshold), SUFFIX)] : [];
        },
      }}
      onShow={() => setView('image')}
      stage={<ModerateStage threshold={threshold} view={view} onView={setView} />}
      settings={
        <>
          <ThresholdField threshold={threshold} onThreshold={setThreshold} />
          <FullModelOffer />
          <SeverityMeanings />
        </>
      }
    />
  );
}
