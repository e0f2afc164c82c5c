'use client';

import type { BatchItem, RunLocation } from '../batch/batch.ts';
import { ChoiceField } from './choice-field.tsx';
import { describeRunFit } from './describe-fit.ts';
import type { FileRuns } from './use-file-runs.ts';
import { describeServerEngine } from './use-server-engine.ts';

interface PlaceChoiceProps {
  readonly work: FileRuns;
  readonly selected: BatchItem | undefined;
}

const PLACES: Readonly<Record<RunLocation, string>> = { device: 'This device', server: 'Our server' };
const ON_SERVER = 'Each file is sent to our server when you press the button, at the price shown.';

/** Lets the visitor choose where files are processed, and says where the selected one can be; the default is here. */
export function PlaceChoice({ work, selected }: PlaceChoiceProps) {
  const { where, fits, serverEngine, isRunning, choosePlace } = work;
  const onServer = `${ON_SERVER} ${describeServerEngine(serverEngine)}`.trim();
  return (
    <ChoiceField
      label="Where to run"
      name="place"
      choices={PLACES}
      value={where}
      explanation={where === 'device' ? describeRunFit(selected && fits.get(selected.id)) : onServer}
      disabled={isRunning}
      onChange={choosePlace}
    />
  );
}
