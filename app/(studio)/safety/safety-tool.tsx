'use client';

import { useState } from 'react';
import type { BatchItem } from '../batch/batch.ts';
import { reportOf } from '../batch/results.ts';
import { ToolFrame } from '../frame/tool-frame.tsx';
import type { Wording } from '../frame/wording.ts';
import { useSessionState } from '../session/use-session-state.ts';
import { TOOLS } from '../tools/tools.ts';
import { isPartial, MODEL_FIELD, paramsFor } from './models.ts';
import { SafetyStage, type SafetyView } from './safety-stage.tsx';
import { SeverityMeanings } from './severity-meanings.tsx';
import { ThresholdField, useThreshold } from './threshold.tsx';
import { reportDetails, SEVERITY_WORDS, severitiesOf, tileWords } from './verdict.ts';
import { WiderModel } from './wider-model.tsx';

const { suffix: SUFFIX } = TOOLS['image-moderation'];
const NO_FIELDS = [] as const;
const OWN_FIELDS = [MODEL_FIELD];

const WORDING: Wording = {
  lead: 'Four categories of harm. Low does not mean safe.',
  verb: 'Check',
  showsSizeChange: false,
  fields: {},
};

/** Page of the moderator. A run finds severities; the page flags by a threshold that changes at any time. */
export function SafetyTool() {
  const [threshold, setThreshold] = useThreshold();
  const [view, setView] = useState<SafetyView>('table');
  const [, select] = useSessionState<number | undefined>('image-moderation/selected', undefined);
  const words = (item: BatchItem) => {
    const severities = severitiesOf(item);
    return severities && tileWords(severities, threshold);
  };
  return (
    <ToolFrame
      operationId="image-moderation"
      fields={NO_FIELDS}
      ownFields={OWN_FIELDS}
      wording={WORDING}
      summary={() => `Flag from ${SEVERITY_WORDS[threshold]}`}
      startsAtOnce={() => true}
      keepsResults
      gainsOnServer={isPartial}
      paramsFor={(_file, values, where) => paramsFor(values, where)}
      verdictOf={words}
      finish={async (item) => {
        const severities = severitiesOf(item);
        return severities ? [reportOf(item.file, reportDetails(severities, threshold), SUFFIX)] : [];
      }}
      onShow={() => setView('image')}
      stage={(selected, work) => (
        <SafetyStage {...{ selected, work, threshold, view }} onView={setView} onSelect={select} />
      )}
      settings={(selected, work) => (
        <>
          <ThresholdField threshold={threshold} onThreshold={setThreshold} />
          <WiderModel work={work} selected={selected} />
          <SeverityMeanings />
        </>
      )}
    />
  );
}
