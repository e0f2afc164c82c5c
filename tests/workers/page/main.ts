import type { OperationId } from '../../../models/registry.ts';
import { type RunOptions, run } from '../../../workers/bridge.ts';
import { probeCapabilities } from '../../../workers/runtime/capabilities.ts';
import { placementOf } from '../../../workers/runtime/placement.ts';
import type { PageOutcome } from './outcome.ts';

/** Fetches a file, runs an operation on it by the bridge, and gives plain data that can leave the page. */
async function operate(
  operationId: OperationId,
  url: string,
  params: object,
  options: RunOptions = {},
): Promise<PageOutcome> {
  const file = await (await fetch(url)).blob();
  try {
    const { files, engine, warnings, details = {} } = await run(operationId, file, params, options);
    const [output] = files;
    if (!output) throw new Error('no output');
    const base64 = await toBase64(output.blob);
    return { ok: true, mediaType: output.mediaType, engine, warnings, details, base64 };
  } catch (thrown) {
    const { name, message, code } = thrown as Error & { code: string };
    return { ok: false, name, code, message };
  }
}

async function toBase64(blob: Blob): Promise<string> {
  const reader = new FileReader();
  const read = new Promise((resolve) => reader.addEventListener('load', resolve, { once: true }));
  reader.readAsDataURL(blob);
  await read;
  return String(reader.result).replace(/^[^,]*,/, '');
}

const convert = (url: string, params: object, options?: RunOptions) =>
  operate('media-convert-image', url, params, options);

Object.assign(globalThis, { convert, operate, run, probeCapabilities, placementOf });
