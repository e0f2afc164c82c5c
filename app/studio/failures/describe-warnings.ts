import type { RunWarning, WarningKind } from '../../../models/core/runtime/run-warnings.ts';
import type { OperationId } from '../../../models/registry.ts';

type Words = (names: readonly string[]) => string;

/** Words for the visitor in place of a message that names a part of the API. */
const WORDS: Readonly<Partial<Record<WarningKind, Words>>> = {
  replaced: ([failed, ran]) =>
    `The model ${failed} could not be used this time. The model ${ran} took its place.`,
  fallback: () => 'Only the model that comes with Darkroom was available. The outline may be less exact.',
  other_provider: () => 'The fastest way to run the model failed, so a slower one did the work.',
  no_metadata: ([format = '']) =>
    `${format.toUpperCase()} files hold no location, date, camera or colour profile, so they were removed.`,
  weak_fill: ([cause]) => `This is a simple fill, and ${cause}. Look at it closely.`,
  cut_off: wordMissingEnd,
  cut_off_video: wordMissingEnd,
};

function wordMissingEnd([seconds]: readonly string[]): string {
  return `The end of this file is missing. The result covers the ${seconds} s that could be read.`;
}

/** Words a run's warnings for the visitor, with the names of models. Those that name no part of the API stay. */
export async function describeWarnings(
  operationId: OperationId,
  warnings: readonly RunWarning[],
): Promise<readonly string[]> {
  if (!warnings.some(({ kind }) => WORDS[kind])) return warnings.map(({ message }) => message);
  const nameOf = await readEngineNames(operationId).catch(() => (id: string) => id);
  const words = ({ kind, names, message }: RunWarning) => WORDS[kind]?.(names.map(nameOf)) ?? message;
  // Several faults of providers end in the same words.
  return [...new Set(warnings.map(words))];
}

/** Loads the operation definitions on the first warning, so that no page bundle contains them. */
async function readEngineNames(operationId: OperationId): Promise<(id: string) => string> {
  const { OPERATIONS } = await import('../../../models/registry.ts');
  const { engines = [] } = OPERATIONS[operationId];
  return (id) => engines.find((engine) => engine.id === id)?.name ?? id;
}
