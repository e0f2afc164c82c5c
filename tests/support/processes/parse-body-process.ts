import { OperationError } from '../../../models/core/operation/errors.ts';
import { parseRequest } from '../../../models/core/operation/request.ts';
import { assertStorable } from '../../../models/core/operation/storable-text.ts';
import { OPERATIONS } from '../../../models/registry.ts';
import { parseJsonObject } from '../../../server/api/transport/read-request.ts';
import { readPeakBytes } from './memory.ts';

/**
 * Process that parses a body with a list of so many zeros in place of a file, and reports the message of the refusal
 * and how far its peak memory rose: `<request|value> <count>`. With `value`, it checks the texts of the parsed value
 * alone.
 */
const [, , part, count] = process.argv;
const zeros = { image_b64: new Array(Number(count)).fill(0) };
const text = part === 'request' ? JSON.stringify(zeros) : '';
const before = await readPeakBytes(process.pid);
const message = getRefusal(() => {
  if (part === 'request') parseRequest(OPERATIONS['remove-bg'], parseJsonObject(text));
  else assertStorable(zeros);
});
process.stdout.write(JSON.stringify({ message, bytes: (await readPeakBytes(process.pid)) - before }));

function getRefusal(step: () => void): string | null {
  try {
    step();
    return null;
  } catch (thrown) {
    if (thrown instanceof OperationError) return thrown.message;
    throw thrown;
  }
}
