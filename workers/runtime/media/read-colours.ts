import type { InputVideoTrack } from 'mediabunny';
import { HIGH_DEFINITION_ROWS } from '../../../models/kernels/colour/i420.ts';

/**
 * Reads the colours of a track. What neither its container nor its coded stream states is taken from its size, and
 * stated for the browser's decoder, which would take all of it as BT.709: mediabunny (1.61) hands each decoder the same
 * configuration.
 */
export async function readColours(track: InputVideoTrack): Promise<VideoColorSpaceInit> {
  const config = await track.getDecoderConfig();
  const { matrix, primaries, transfer, fullRange } = await track.getColorSpace();
  const usual = (await track.getCodedHeight()) >= HIGH_DEFINITION_ROWS ? 'bt709' : 'smpte170m';
  const colours = {
    matrix: matrix ?? usual,
    primaries: primaries ?? usual,
    transfer: transfer ?? usual,
    fullRange: fullRange ?? false,
  };
  if (config) config.colorSpace = colours;
  return colours;
}
