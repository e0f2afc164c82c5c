import type { InputAudioTrack } from 'mediabunny';
import type { HeardTrack } from '../../../runtime/audio-facts.ts';

/** Code of an unknown language: ISO 639-2. */
const UNDETERMINED = 'und';
/** Names come from files, and stand in messages. */
const NAME_LENGTH_MAX = 60;

/** Describes a track among several by its number, name and language. */
export async function describeTrack(track: InputAudioTrack, count: number): Promise<HeardTrack> {
  const name = printable((await track.getName()) ?? '');
  const language = printable(await track.getLanguageCode());
  const label = [name, language === UNDETERMINED ? '' : language].filter(Boolean).join(', ');
  return { number: track.number, count, label };
}

/** Returns the start of a text without control characters and halves of pairs, which databases refuse. */
function printable(text: string): string {
  return text
    .slice(0, NAME_LENGTH_MAX)
    .replace(/[\p{Cc}\p{Cs}]/gu, '')
    .trim();
}
