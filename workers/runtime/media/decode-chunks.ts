/** Limit on frames queued in the decoder. */
const QUEUE_MAX = 4;

/**
 * Decodes chunks with the browser's decoder, in presentation order. The caller closes each frame.
 * @param toError creates the error for chunks that are corrupt, by its cause
 */
export async function* decodeChunks(
  chunks: AsyncIterable<EncodedVideoChunk> | Iterable<EncodedVideoChunk>,
  config: VideoDecoderConfig,
  toError: (cause: unknown) => Error,
): AsyncGenerator<VideoFrame, undefined> {
  const ready: VideoFrame[] = [];
  let fault: unknown = null;
  let wake = () => {};
  const decoder = new VideoDecoder({
    output: (frame) => ready.push(frame),
    error: (thrown) => {
      fault = thrown;
      wake();
    },
  });
  decoder.addEventListener('dequeue', () => wake());
  decoder.configure(config);
  try {
    for await (const chunk of chunks) {
      decoder.decode(chunk);
      while (decoder.decodeQueueSize > QUEUE_MAX && fault === null) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      if (fault !== null) throw fault;
      for (let frame = ready.shift(); frame; frame = ready.shift()) yield frame;
    }
    await decoder.flush();
    for (let frame = ready.shift(); frame; frame = ready.shift()) yield frame;
  } catch (thrown) {
    throw toError(fault ?? thrown);
  } finally {
    for (const frame of ready) frame.close();
    if (decoder.state !== 'closed') decoder.close();
  }
}
