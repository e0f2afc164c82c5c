'use client';

import type { Where } from './batch.ts';
import { ChoiceField } from './choice-field.tsx';

interface PlaceChoiceProps {
  readonly where: Where;
  readonly disabled: boolean;
  readonly onChange: (where: Where) => void;
}

const PLACES: Readonly<Record<Where, string>> = { device: 'This device', server: 'Our server' };
const MEANS: Readonly<Record<Where, string>> = {
  device: 'Free. Nothing leaves this device.',
  server: 'Each file is sent to our server when you press the button, for the price that stands on it.',
};

/** Where the work is done. The device, unless the visitor wants otherwise. */
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
