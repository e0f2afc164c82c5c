'use client';

import { ChoiceField } from '../../studio/form/choice-field.tsx';
import { saveConsent, useConsent } from '../../studio/remove-bg/sharper-consent.ts';

const CHOICES = { ask: 'Ask me', yes: 'Yes', no: 'No' } as const;
const MEANS: Readonly<Record<keyof typeof CHOICES, string>> = {
  ask: 'Asks before a download of more than 8 MB.',
  yes: 'Downloads any size, except on a metered connection.',
  no: 'Downloads only the models that you choose.',
};

/** Lets the visitor change whether a sharper model may be downloaded and kept. */
export function SharperSettings() {
  const choice = useConsent() ?? 'ask';
  return (
    <ChoiceField
      label="Sharper models for hard images"
      name="sharper"
      choices={CHOICES}
      value={choice}
      explanation={MEANS[choice]}
      onChange={(next) => saveConsent(next === 'ask' ? undefined : next)}
    />
  );
}
