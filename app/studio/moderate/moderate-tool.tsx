'use client';

import { useState } from 'react';
import { SEVERITIES } from '../../../models/moderation/categories.ts';
import { FoldedSettings } from '../form/folded-settings.tsx';
import { ParamsForm } from '../form/params-form.tsx';
import type { BatchItem } from '../runs/batch.ts';
import type { FileHandling } from '../runs/file-handling.ts';
import { getReport } from '../runs/results.ts';
import {
  useRunActions,
  useRunFiles,
  useRunOutline,
  useRunSettings,
  useShownFile,
} from '../runs/runs-context.ts';
import { useSessionState } from '../session/use-session-state.ts';
import { ViewSwitch } from '../stage/view-switch.tsx';
import { ToolFrame } from '../tool-frame/tool-frame.tsx';
import type { ToolState } from '../tool-frame/use-tool.ts';
import type { Field } from '../tools/fields.ts';
import { TOOLS } from '../tools/tools.ts';
import type { Wording } from '../tools/wording.ts';
import { FullModelOffer } from './full-model-offer.tsx';
import { categoriesFor, isPartial, MODEL_FIELD, paramsFor } from './models.ts';
import styles from './moderate.module.css';
import {
  describeVerdict,
  getSeverities,
  listColumns,
  reportDetails,
  SEVERITY_MEANINGS,
  SEVERITY_NAMES,
  sortForReview,
  type Threshold,
} from './verdict.ts';
import { VerdictStage } from './verdict-stage.tsx';
import { VerdictTable } from './verdict-table.tsx';

interface ModerateViewProps {
  readonly threshold: Threshold;
  readonly onView: (view: ModerateView) => void;
}

type ModerateView = 'table' | 'image';

const VIEWS: Readonly<Record<ModerateView, string>> = { table: 'Table', image: 'Image' };

const FIELD: Field = { kind: 'range', name: 'threshold', min: 2, max: 6, step: 2, initial: 2 };

const MEANINGS: Readonly<Record<Threshold, string>> = {
  2: '',
  4: 'Low is not flagged.',
  6: 'Only High is flagged.',
};

interface ThresholdFieldProps {
  readonly threshold: Threshold;
  readonly onThreshold: (threshold: Threshold) => void;
}

const { suffix: SUFFIX } = TOOLS['image-moderation'];

const NO_FIELDS = [] as const;

const OWN_FIELDS = [MODEL_FIELD];

const WORDING: Wording = {
  lead: 'Sexual content. Low does not mean safe.',
  verb: 'Check',
  fields: {},
};

const ALL_LEAD = 'Four categories of harm. Low does not mean safe.';

const HANDLING: Partial<FileHandling> = {
  startsAutomatically: () => true,
  improvesOnServer: isPartial,
  paramsFor: (_file, values, location) => paramsFor(values, location),
};

/** Page of the moderator. A run finds severities; the page flags by a threshold that changes at any time. */
export function ModerateTool() {
  const [threshold, setThreshold] = useThreshold();
  const [view, setView] = useState<ModerateView>('table');
  const getVerdict = (item: BatchItem) => {
    const severities = getSeverities(item);
    return severities && describeVerdict(severities, threshold).toLowerCase();
  };
  return (
    <ToolFrame
      operationId="image-moderation"
      fields={NO_FIELDS}
      ownFields={OWN_FIELDS}
      wording={WORDING}
      lead={({ values, location }) => (categoriesFor(values, location).length > 1 ? ALL_LEAD : WORDING.lead)}
      summary={() => `Flag from ${SEVERITY_NAMES[threshold]}`}
      handling={HANDLING}
      results={{
        getVerdict,
        finish: async (item) => {
          const severities = getSeverities(item);
          return severities ? [getReport(item.file, reportDetails(severities, threshold), SUFFIX)] : [];
        },
      }}
      onShow={() => setView('image')}
      stage={<SelectedVerdict threshold={threshold} onView={setView} />}
      list={
        view === 'table'
          ? (tool) => <Verdicts tool={tool} threshold={threshold} onView={setView} />
          : undefined
      }
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

/** Explains the severities, and what they cannot say. */
function SeverityMeanings() {
  return (
    <FoldedSettings title="What the levels mean" summary={undefined}>
      <div className={styles.meanings}>
        <dl>
          {SEVERITIES.map((severity) => (
            <div key={severity}>
              <dt>
                <span className="facts">{severity}</span> {SEVERITY_NAMES[severity]}
              </dt>
              <dd>{SEVERITY_MEANINGS[severity]}</dd>
            </div>
          ))}
        </dl>
        <p>Staged or implied harm can be missed.</p>
      </div>
    </FoldedSettings>
  );
}

/** Severity from which images are flagged. It changes verdicts at once, without a new run. */
function useThreshold() {
  return useSessionState<Threshold>('image-moderation/threshold', 2);
}

function ThresholdField({ threshold, onThreshold }: ThresholdFieldProps) {
  return (
    <ParamsForm
      fields={[FIELD]}
      name="Verdict"
      values={{ threshold }}
      disabled={false}
      wording={{
        fields: {
          threshold: {
            label: 'Flag from',
            explain: () => MEANINGS[threshold],
          },
        },
      }}
      onChange={({ threshold: chosen }) => onThreshold(chosen as Threshold)}
    />
  );
}

/** Shows the selected image with its verdict. */
function SelectedVerdict({ threshold, onView }: ModerateViewProps) {
  const { count } = useRunOutline();
  const shown = useShownFile();
  if (!shown) return null;
  return (
    <>
      <VerdictStage key={shown.item.id} {...shown} threshold={threshold} />
      {count > 1 && <ViewSwitch views={VIEWS} view="image" onView={onView} />}
    </>
  );
}

/** Shows the verdicts on several images in a table, which is also their list. */
function Verdicts({ tool, threshold, onView }: ModerateViewProps & { readonly tool: ToolState }) {
  const { items, getShown } = useRunFiles();
  const { values, location } = useRunSettings();
  const { isRunning, selected } = useRunOutline();
  const { select } = useRunActions();
  return (
    <>
      <VerdictTable
        items={sortForReview(items, threshold)}
        columns={listColumns(items, categoriesFor(values, location))}
        selectedId={selected?.id}
        threshold={threshold}
        isRunning={isRunning}
        getShown={getShown}
        onOpen={(id) => {
          select(id);
          onView('image');
        }}
        onAdd={tool.add}
        onRemove={tool.remove}
      />
      <ViewSwitch views={VIEWS} view="table" onView={onView} />
    </>
  );
}
