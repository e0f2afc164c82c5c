import type { AudioCodec } from './audio-codec.ts';
import type { ImageCodec } from './image-codec.ts';
import type { Inference, Session } from './inference.ts';
import type { Runtime } from './runtime.ts';
import type { VideoCodec } from './video-codec.ts';

/**
 * Stages of a run that its runtime does: reading samples, running a model, writing a file. One may call another, such
 * as an encoder that asks the model for its next strip.
 */
export const SPANS = ['decode', 'session', 'encode'] as const;
export type SpanName = (typeof SPANS)[number];

/** Measures a call of a stage. */
export type TimeSpan = <Result>(stage: SpanName, call: () => Promise<Result>) => Promise<Result>;

/** Returns a runtime like the given one that passes each call of a stage through `time`. */
export function instrumentSpans(runtime: Runtime, time: TimeSpan): Runtime {
  return {
    ...runtime,
    images: watchImages(runtime.images, time),
    video: watchVideo(runtime.video, time),
    audio: watchAudio(runtime.audio, time),
    inference: watchInference(runtime.inference, time),
  };
}

function watchImages(images: ImageCodec, time: TimeSpan): ImageCodec {
  return {
    ...images,
    async decode(input, options) {
      const picture = await time('decode', () => images.decode(input, options));
      const { frames } = picture;
      return replace(picture, 'frames', (wanted) => timed(frames.call(picture, wanted), time));
    },
    encode: (picture, options) => time('encode', () => images.encode(picture, options)),
  };
}

function watchVideo(video: VideoCodec, time: TimeSpan): VideoCodec {
  return {
    async decode(input, options) {
      const opened = await time('decode', () => video.decode(input, options));
      const { frames } = opened;
      return replace(opened, 'frames', () => timed(frames.call(opened), time));
    },
    encode: (frames, options) => time('encode', () => video.encode(frames, options)),
  };
}

function watchAudio(audio: AudioCodec, time: TimeSpan): AudioCodec {
  return {
    probe: (input, options) => audio.probe(input, options),
    async decode(input, options) {
      const opened = await time('decode', () => audio.decode(input, options));
      const { chunks } = opened;
      return replace(opened, 'chunks', () => timed(chunks.call(opened), time));
    },
    encode: (chunks, options) => time('encode', () => audio.encode(chunks, options)),
  };
}

function watchInference(inference: Inference, time: TimeSpan): Inference {
  const watched = (session: Session): Session => ({
    inputs: session.inputs,
    outputs: session.outputs,
    run: (...given) => time('session', () => session.run(...given)),
  });
  return {
    availability: (card) => inference.availability(card),
    read: (card, options) => inference.read(card, options),
    use: (card, options, work) => inference.use(card, options, (session) => work(watched(session))),
    acceptances: inference.acceptances,
  };
}

/** Replaces a method of an object, which stays the same: a codec recognises its own images, and encodes them faster. */
function replace<Key extends string, Owner extends Readonly<Record<Key, unknown>>>(
  owner: Owner,
  key: Key,
  method: Owner[Key],
): Owner {
  return Object.defineProperty(owner, key, { value: method });
}

/** Times each step: samples are made on demand. */
async function* timed<Item>(items: AsyncIterable<Item>, time: TimeSpan): AsyncGenerator<Item> {
  const iterator = items[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { done, value } = await time('decode', () => iterator.next());
      if (done) return;
      yield value;
    }
  } finally {
    await iterator.return?.();
  }
}
