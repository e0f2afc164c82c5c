import type { WorkerPage } from '../../../lab/support/worker-page.ts';
import type { RunWarning } from '../../../models/core/runtime/run-warnings.ts';
import { openSharedWorkerPage } from './worker-page.ts';

/** Decoded audio: the samples of each channel. */
interface Decoded {
  readonly facts: object;
  readonly frameCount: number;
  readonly samples: readonly Float32Array[];
  readonly warnings: readonly RunWarning[];
}

/** Page that decodes and encodes audio. */
export interface AudioPage {
  decode(input: Blob, shape: object): Promise<Decoded>;
  encode(input: Blob, options: object): Promise<Uint8Array<ArrayBuffer>>;
  /** Calls a function of the page that takes a file and options. */
  call<Value>(name: string, input: Blob, options: object): Promise<Value>;
  stop: WorkerPage['stop'];
}

/** @param isolated whether the page can use SharedArrayBuffer */
export async function openAudioPage(isolated: boolean): Promise<AudioPage> {
  const { page, put, stop } = await openSharedWorkerPage({ isolated });
  await page.addScriptTag({ url: '/audio.js', type: 'module' });
  await page.waitForFunction('globalThis.decodeAudio !== undefined');
  async function call<Value>(name: string, input: Blob, options: object): Promise<Value> {
    const path = await put(input);
    return page.evaluate<Value>(`${name}(${JSON.stringify(path)}, ${JSON.stringify(options)})`);
  }
  return {
    async decode(input, shape) {
      const { channels, ...decoded } = await call<Omit<Decoded, 'samples'> & { channels: string[] }>(
        'decodeAudio',
        input,
        shape,
      );
      return { ...decoded, samples: channels.map((base64) => new Float32Array(bytesOf(base64).buffer)) };
    },
    async encode(input, options) {
      return bytesOf(await call<string>('encodeAudio', input, options));
    },
    call,
    stop,
  };
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(base64, 'base64'));
}
