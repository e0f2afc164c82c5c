'use client';

import { useState } from 'react';
import type { ImageSize } from '../../../models/runtime/raster.ts';
import type { NamedResult } from '../batch/result-names.ts';
import { resultsOf, saveResults } from '../batch/results.ts';
import { CopyButton } from '../download/copy-button.tsx';
import { pngOf } from '../download/copy-image.ts';
import { OpenInTool } from '../download/open-in-tool.tsx';
import { probeImageFile } from '../files/probe-image.ts';
import { useViewable } from '../files/use-viewable.ts';
import type { ShownFile } from '../runs/shown-files.ts';
import type { FileRuns } from '../runs/use-file-runs.ts';
import { FactsRow } from '../stage/facts-row.tsx';
import { RenewalNote } from '../stage/renewal-note.tsx';
import frame from '../stage/stage.module.css';
import { StageFailure } from '../stage/stage-failure.tsx';
import { useFacts } from '../stage/use-facts.ts';
import { StagePlane } from '../stage/view/stage-plane.tsx';
import { StageWell } from '../stage/view/stage-well.tsx';
import { ViewSwitch } from '../stage/view-switch.tsx';
import { TOOLS } from '../tools/tools.ts';
import { EdgesView, marginAround } from './edges-view.tsx';
import { extentFor } from './margins.ts';
import { describeEngine, seedsOf } from './settings.ts';
import type { PickedVariants } from './use-picked-variants.ts';
import { VariantGrid } from './variant-grid.tsx';

const { slug: SLUG } = TOOLS['image-outpaint'];

interface ExtendStageProps {
  readonly shown: ShownFile;
  readonly runs: FileRuns;
  readonly picked: PickedVariants;
  /** Adds a result as a file of its own. */
  readonly onExtendAgain: (file: File) => void;
}

type View = 'result' | 'variants' | 'edges';

/** Shows the frame around an image, then its result, or its variants side by side. */
export function ExtendStage({ shown, runs, picked, onExtendAgain }: ExtendStageProps) {
  const { item, renewal, isOutdated } = shown;
  const { file, state } = item;
  const results = resultsOf(item);
  const result = picked.resultOf(item);
  const image = useFacts<ImageSize>(file, probeImageFile);
  const made = useFacts<ImageSize>(result?.file.blob ?? file, probeImageFile);
  const before = useViewable(file);
  const after = useViewable(result?.file.blob, item.id);
  const [chosen, setChosen] = useState<{ readonly of: unknown; readonly view: View }>();
  const newest = results[0]?.file.blob;
  const initial: View = results.length > 1 ? 'variants' : result ? 'result' : 'edges';
  // A new result is shown at once.
  const view = chosen && chosen.of === newest ? chosen.view : initial;
  const extent = image && extentFor(image, runs.values);
  const room = extent ? marginAround(extent) : 0;
  const canvas = extent && { width: extent.width + 2 * room, height: extent.height + 2 * room };
  const seed = seedsOf(item)[picked.indexOf(item)];
  const facts = [
    image && made && result && `${image.width} × ${image.height} → ${made.width} × ${made.height}`,
    seed !== undefined && `seed ${seed}`,
    describeEngine(item),
    isOutdated && !renewal && 'made with earlier settings',
  ].filter((fact) => typeof fact === 'string');
  return (
    <div className={frame.stage}>
      <div className={frame.picture} data-phase={state.phase}>
        {view === 'variants' ? (
          <VariantGrid item={item} picked={picked} />
        ) : (
          <StageWell
            key={view}
            image={view === 'result' ? made : canvas}
            phase={state.phase}
            isTransparent={view === 'edges'}
          >
            {view === 'result' && after ? (
              <StagePlane>
                <img src={after} alt={`${file.name}, result`} draggable={false} />
              </StagePlane>
            ) : before && extent ? (
              <EdgesView
                {...{ url: before, name: file.name, extent, room, runs }}
                disabled={runs.isRunning}
              />
            ) : (
              <p className={frame.pending}>
                {before === null ? `${file.name} can't be shown here.` : `Opening ${file.name}…`}
              </p>
            )}
          </StageWell>
        )}
        <StageFailure item={item} slug={SLUG} />
        {renewal && <RenewalNote progress={renewal} isFirst={!result} onStop={undefined} />}
      </div>
      <FactsRow item={item} showsSizeChange={false} saved={result?.file.blob} extra={facts}>
        {result && <ResultUses {...{ results, result, runs, onExtendAgain }} />}
      </FactsRow>
      {!renewal && state.phase === 'done' && state.laterFailure && (
        <p role="alert" className={frame.later}>
          {state.laterFailure}
        </p>
      )}
      {result && (
        <ViewSwitch<View>
          views={{
            result: 'Result',
            ...(results.length > 1 ? { variants: `All ${results.length}` } : {}),
            edges: 'Edges',
          }}
          view={view}
          onView={(next) => setChosen({ of: newest, view: next })}
        />
      )}
    </div>
  );
}

interface ResultUsesProps extends Pick<ExtendStageProps, 'runs' | 'onExtendAgain'> {
  readonly results: readonly NamedResult[];
  /** Picked one. */
  readonly result: NamedResult;
}

function ResultUses({ results, result, runs, onExtendAgain }: ResultUsesProps) {
  const { name, file } = result;
  return (
    <>
      <button
        type="button"
        className="button"
        disabled={runs.isRunning}
        onClick={() => onExtendAgain(new File([file.blob], name, { type: file.mediaType }))}
      >
        Extend again
      </button>
      {results.length > 1 && (
        <button
          type="button"
          className="button"
          onClick={() => void saveResults(results, 'darkroom-variants.zip')}
        >
          All {results.length} as zip
        </button>
      )}
      <CopyButton key={name} make={(signal) => pngOf(file.blob, signal)} />
      <OpenInTool slug={SLUG} result={result} />
    </>
  );
}
