'use client';

import type { BatchItem, RunLocation } from '../batch/batch.ts';
import { describeRunFit } from '../fit/describe-fit.ts';
import { describeServerEngine } from '../fit/use-server-engine.ts';
import { ChoiceField } from '../form/choice-field.tsx';
import type { FileRuns } from '../runs/use-file-runs.ts';

interface PlaceChoiceProps {
  readonly runs: FileRuns;
  readonly selected: BatchItem | undefined;
}

const PLACES: Readonly<Record<RunLocation, string>> = { device: 'This device', server: 'Our server' };
const ON_SERVER = 'Each file is sent to our server when you press the button, at the price shown.';

/** Lets the visitor choose where files are processed, and says where the selected one can be; the default is here. */
export function LocationChoice({ runs, selected }: PlaceChoiceProps) {
  const { location, fits, serverEngine, isRunning, chooseLocation } = runs;
  const onServer = `${ON_SERVER} ${describeServerEngine(serverEngine)}`.trim();
  return (
    <ChoiceField
      label="Where to run"
      name="place"
      choices={PLACES}
      value={location}
      explanation={location === 'device' ? describeRunFit(selected && fits.get(selected.id)) : onServer}
      disabled={isRunning}
      onChange={chooseLocation}
    />
  );
}
