'use client';

import type { RunLocation } from '../batch/batch.ts';
import { ChoiceField } from './choice-field.tsx';

interface PlaceChoiceProps {
  readonly where: RunLocation;
  readonly disabled: boolean;
  readonly onChange: (where: RunLocation) => void;
}

const PLACES: Readonly<Record<RunLocation, string>> = { device: 'This device', server: 'Our server' };
const MEANS: Readonly<Record<RunLocation, string>> = {
  device: 'Free. Nothing leaves this device.',
  server: 'Each file is sent to our server when you press the button, at the price shown.',
};

/** Lets the visitor choose where files are processed; the device is the default. */
export function PlaceChoice({ where, disabled, onChange }: PlaceChoiceProps) {
  return (
    <ChoiceField
      label="Where to run"
      name="place"
      choices={PLACES}
      value={where}
      explanation={MEANS[where]}
      disabled={disabled}
      onChange={onChange}
    />
  );
}
