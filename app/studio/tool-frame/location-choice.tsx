'use client';

import { ChoiceField } from '../form/choice-field.tsx';
import type { RunLocation } from '../runs/batch.ts';
import { describeRunFit } from '../runs/describe-fit.ts';
import { useRunActions, useRunOutline, useRunPlaces, useRunSettings } from '../runs/runs-context.ts';
import { describeServerEngine } from '../runs/use-server-engine.ts';

const PLACES: Readonly<Record<RunLocation, string>> = { device: 'This device', server: 'Our server' };
const ON_SERVER = 'Each file is sent to our server when you press the button, at the price shown.';

/** Lets the visitor choose where files are processed, and says where the selected one can be; the default is here. */
export function LocationChoice() {
  const { location } = useRunSettings();
  const { isRunning, selected } = useRunOutline();
  const { fits, serverEngine } = useRunPlaces();
  const { chooseLocation } = useRunActions();
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
