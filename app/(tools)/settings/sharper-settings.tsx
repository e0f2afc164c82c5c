'use client';

import { ChoiceField } from '../../studio/form/choice-field.tsx';
import { saveConsent, useConsent } from '../../studio/remove-bg/model/sharper-consent.ts';

const CHOICES = { ask: 'Ask me', yes: 'Yes', no: 'No' } as const;
const MEANS: Readonly<Record<keyof typeof CHOICES, string>> = {
  ask: 'For an image that is hard for the model of this page, Darkroom fetches a sharper one of at most 8 MB from this site. It asks before it downloads a larger one.',
  yes: 'Darkroom downloads a sharper model of any size for a hard image and keeps it. Never on a metered connection.',
  no: 'Darkroom downloads a model only when you choose it by name.',
};

/** Lets the visitor change whether a sharper model may be downloaded and kept. */
export function SharperSettings() {
  const choice = useConsent() ?? 'ask';
  return (
    <ChoiceField
      label="Keep a sharper model on this device"
      name="sharper"
      choices={CHOICES}
      value={choice}
      explanation={MEANS[choice]}
      onChange={(next) => saveConsent(next === 'ask' ? undefined : next)}
    />
  );
}
