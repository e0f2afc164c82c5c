import type { Socket } from 'node:net';

/** Bytes on their way, beyond which no more are read. */
const BYTES_MAX = 1024 * 1024;

/** Weather of a connection. */
interface Weather {
  readonly delayMs: number;
  readonly isStalled: boolean;
}

/** Passes what one socket receives to another one, late or not at all. The end of either is the end of both. */
export function createConduit(from: Socket, to: Socket): { change(weather: Weather): void } {
  let weather: Weather = { delayMs: 0, isStalled: false };
  let flowOn = (): void => {};
  let bytesUnderway = 0;
  let last = Promise.resolve();
  /** Waits for the delay and for the end of a stall, then does a step. Steps keep their order. */
  const later = (step: () => unknown): void => {
    const dueMs = performance.now() + weather.delayMs;
    last = last.then(async () => {
      const waitMs = dueMs - performance.now();
      if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
      while (weather.isStalled) {
        await new Promise<void>((resolve) => {
          flowOn = resolve;
        });
      }
      await step();
    });
  };
  from.on('data', (chunk) => {
    bytesUnderway += chunk.length;
    if (bytesUnderway > BYTES_MAX) from.pause();
    later(() =>
      to.write(chunk, () => {
        bytesUnderway -= chunk.length;
        if (bytesUnderway <= BYTES_MAX) from.resume();
      }),
    );
  });
  from.on('end', () => later(() => to.end()));
  let isBroken = false;
  from.on('error', () => {
    isBroken = true;
  });
  from.on('close', () => {
    if (isBroken) later(() => to.resetAndDestroy());
  });
  return {
    change(next) {
      weather = next;
      if (!next.isStalled) flowOn();
    },
  };
}
