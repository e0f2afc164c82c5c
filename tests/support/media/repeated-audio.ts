import {
  ALL_FORMATS,
  BlobSource,
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacketSink,
  Input,
  Mp4OutputFormat,
  OggOutputFormat,
  Output,
  WebMOutputFormat,
} from 'mediabunny';
import { audioFixture } from './audio.ts';

const FORMATS = {
  ogg: () => new OggOutputFormat({ maximumPageDuration: 0.25 }),
  webm: () => new WebMOutputFormat({ minimumClusterDuration: 0.5 }),
  m4a: () => new Mp4OutputFormat({ fastStart: 'in-memory' }),
};

/** Makes a file of several seconds: the packets of a fixture of Opus, `times` one after the other. */
export async function repeatAudio(format: keyof typeof FORMATS, times: number): Promise<Blob> {
  const input = new Input({ source: new BlobSource(await audioFixture('opus.webm')), formats: ALL_FORMATS });
  const track = await input.getPrimaryAudioTrack();
  const config = await track?.getDecoderConfig();
  if (!track || !config) throw new Error('the fixture has audio');
  const target = new BufferTarget();
  const output = new Output({ format: FORMATS[format](), target });
  const source = new EncodedAudioPacketSource('opus');
  output.addAudioTrack(source);
  await output.start();
  let timestamp = 0;
  for (let time = 0; time < times; time++) {
    for await (const packet of new EncodedPacketSink(track).packets()) {
      const duration = 0.02;
      await source.add(packet.clone({ timestamp, duration }), { decoderConfig: config });
      timestamp += duration;
    }
  }
  await output.finalize();
  return new Blob([target.buffer as ArrayBuffer]);
}
