import { OperationError } from '../../../models/core/operation/errors.ts';

/** Most values in a body. A batch of 100 items has fewer than a thousand. */
const VALUES_MAX = 10_000;
/** Deepest nesting of a body's objects and lists. The fields of a batch's item are nested 3 deep. */
const DEPTH_MAX = 32;

/**
 * Checks JSON text before it is parsed: parsed values take many times the bytes of their text, and every later step
 * visits each of them. Whether the text is valid is the parser's to say.
 * @throws OperationError `bad_request` when it has too many values or is nested too deep
 */
export function assertJsonLimits(text: string): void {
  const endOfString = stringEnds(text);
  let values = 1;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '"') at = endOfString(at);
    else if (character === ',') values += 1;
    else if (character === ']' || character === '}') depth -= 1;
    else if (character === '[' || character === '{') {
      values += 1;
      depth += 1;
    }
    if (depth > DEPTH_MAX) throw refusal(`must be nested at most ${DEPTH_MAX} deep`);
    if (values > VALUES_MAX) throw refusal(`must hold at most ${VALUES_MAX} values`);
  }
}

/**
 * Prepares a search for the ends of strings, which may be whole files in base64.
 * @returns a function from the index of an opening quote to that of the closing one, or to the text's length without
 *   one; call it with ascending indices
 */
function stringEnds(text: string): (start: number) => number {
  const nextQuote = ascendingSearch(text, '"');
  const nextEscape = ascendingSearch(text, '\\');
  return (start) => {
    const quote = nextQuote(start + 1);
    let at = nextEscape(start + 1);
    if (quote <= at) return quote;
    for (; at < text.length && text[at] !== '"'; at++) {
      if (text[at] === '\\') at += 1;
    }
    return at;
  };
}

/** Returns a search for the next place of a character, or the text's length. It reads the text only once. */
function ascendingSearch(text: string, character: string): (from: number) => number {
  let found = -1;
  return (from) => {
    if (found >= from) return found;
    const index = text.indexOf(character, from);
    found = index < 0 ? text.length : index;
    return found;
  };
}

function refusal(fault: string): OperationError {
  return new OperationError('bad_request', `body: ${fault}.`);
}
