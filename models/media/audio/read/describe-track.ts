import type { InputAudioTrack } from 'mediabunny';
import type { HeardTrack } from '../../../core/runtime/audio-facts.ts';
import { printableName } from '../formats/printable-name.ts';

/** Code of an unknown language: ISO 639-2. */
const UNDETERMINED = 'und';

/** Describes a track among several by its number, name and language. */
export async function describeTrack(track: InputAudioTrack, count: number): Promise<HeardTrack> {
  const name = printableName((await track.getName()) ?? '');
  const language = printableName(await track.getLanguageCode());
  const label = [name, language === UNDETERMINED ? '' : language].filter(Boolean).join(', ');
  return { number: track.number, count, label };
}
