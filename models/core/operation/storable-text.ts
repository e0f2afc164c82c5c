import { fieldError, OperationError } from './errors.ts';
import { formatFieldPath, truncateText } from './text.ts';

/** NUL, which PostgreSQL stores in no text, and lone surrogates, which UTF-8 cannot encode. */
const UNSTORABLE = /[\0\p{Cs}]/gu;

/** Part of a field's path that a message repeats. */
const PATH_LENGTH_MAX = 100;

/** Object or list whose members are being visited. */
interface Level {
  readonly container: Readonly<Record<string | number, unknown>>;
  /** Member names; absent for a list, whose items need no names in memory. */
  readonly names: readonly string[] | undefined;
  readonly length: number;
  /** Index of the current member. */
  at: number;
}

/**
 * Checks every string and every member name of a JSON value, so that whatever a request holds can be stored.
 * @throws OperationError `bad_request` naming the field
 */
export function assertStorable(value: unknown): void {
  // Its own stack: JSON may be nested deeper than calls can be.
  const open: Level[] = [];
  const visit = (value: unknown): void => {
    if (typeof value === 'string' && !isStorable(value)) throw refusal(open);
    if (typeof value === 'object' && value !== null) open.push(getLevel(value));
  };
  visit(value);
  for (let level = open.at(-1); level; level = open.at(-1)) {
    level.at += 1;
    if (level.at >= level.length) {
      open.pop();
      continue;
    }
    const name = level.names?.[level.at];
    if (name !== undefined && !isStorable(name)) throw refusal(open);
    visit(level.container[name ?? level.at]);
  }
}

function getLevel(value: object): Level {
  const names = Array.isArray(value) ? undefined : Object.keys(value);
  const { length } = names ?? (value as readonly unknown[]);
  return { container: value as Level['container'], names, length, at: -1 };
}

function refusal(open: readonly Level[]): OperationError {
  const path = formatFieldPath(open.map(({ names, at }) => names?.[at] ?? at));
  const field = truncateText(path, PATH_LENGTH_MAX).replace(UNSTORABLE, '\ufffd');
  const problem = 'must contain no NUL character and no lone surrogate. Remove it.';
  if (field === '') return new OperationError('bad_request', `body: ${problem}`, { kind: 'setting' });
  return fieldError(field, problem, { kind: 'setting' });
}

/** Reports whether a text can be stored. */
export function isStorable(text: string): boolean {
  // The regular expression would take a quarter of a second for a file in base64. Browsers from before 2024 lack more.
  const isWellFormed = text.isWellFormed?.() ?? text.search(UNSTORABLE) < 0;
  return isWellFormed && !text.includes('\0');
}
