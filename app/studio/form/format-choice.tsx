'use client';

import type { FormatWords } from '../tools/wording.ts';
import { ChoiceField } from './choice-field.tsx';

interface FormatChoiceProps<Format extends string> {
  readonly formats: Readonly<Record<Format, FormatWords>>;
  readonly format: Format;
  readonly disabled?: boolean;
  readonly onFormat: (format: Format) => void;
}

/** Chooses the file format of the results. */
export function FormatChoice<Format extends string>(props: FormatChoiceProps<Format>) {
  const { formats, format, disabled = false, onFormat } = props;
  const names = Object.entries<FormatWords>(formats).map(([each, { name }]) => [each, name]);
  return (
    <ChoiceField
      label="Format"
      name="format"
      choices={Object.fromEntries(names) as Record<Format, string>}
      value={format}
      explanation={formats[format].means}
      disabled={disabled}
      onChange={onFormat}
    />
  );
}
