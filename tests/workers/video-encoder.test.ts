import { afterEach, expect, test, vi } from 'vitest';
import { WebVideoEncoder } from '../../workers/runtime/media/video-encoder.ts';

const FRAME = {
  ...{ width: 2, height: 2, data: new Uint8Array(16) },
  ...{ timestampSeconds: 0, durationSeconds: 0.04 },
};
const PLANES = new Uint8Array(6);
const FAILED = {
  code: 'unavailable',
  kind: 'not_written',
  message: expect.stringContaining('the chip is busy. Run it on the server'),
};

let fail = () => {};
let openFrames = 0;

/** Encoder of a browser, which closes itself when it fails. */
class FakeEncoder {
  state = 'unconfigured';
  encodeQueueSize = 0;
  static async isConfigSupported() {
    return { supported: true };
  }
  constructor({ error }: { error: (thrown: Error) => void }) {
    fail = () => {
      this.close();
      error(new DOMException('the chip is busy', 'EncodingError'));
    };
  }
  configure() {
    this.state = 'configured';
  }
  encode() {
    this.#assertOpen();
  }
  async flush() {
    this.#assertOpen();
  }
  close() {
    this.state = 'closed';
  }
  addEventListener() {}
  #assertOpen() {
    if (this.state === 'closed') throw new DOMException('The codec is closed.', 'InvalidStateError');
  }
}

function openEncoder() {
  vi.stubGlobal('VideoEncoder', FakeEncoder);
  vi.stubGlobal(
    'VideoFrame',
    class {
      constructor() {
        openFrames += 1;
      }
      close() {
        openFrames -= 1;
      }
    },
  );
  return WebVideoEncoder.open({ format: 'mp4', frameRate: 25 }, FRAME);
}

afterEach(() => {
  vi.unstubAllGlobals();
  openFrames = 0;
});

test('an encoder that fails between two frames says so, and leaves no frame open', async () => {
  const encoder = await openEncoder();
  await encoder.encode(PLANES, FRAME);
  fail();
  await expect(encoder.encode(PLANES, FRAME)).rejects.toMatchObject(FAILED);
  expect(openFrames).toBe(0);
});

test('an encoder that fails before the end says so', async () => {
  const encoder = await openEncoder();
  await encoder.encode(PLANES, FRAME);
  fail();
  await expect(encoder.finish()).rejects.toMatchObject(FAILED);
});
