import { AudioLines } from 'lucide-react';
import { readSongFacts, songSuffix } from '../../../models/operations/stems/song-facts.ts';
import { SONG } from '../files/samples.ts';
import { AUDIO_EXTENSIONS, type Tool } from '../tools/tool.ts';

export const stemsTool: Tool = {
  operationId: 'audio-separate-stems',
  slug: 'stems',
  name: 'Split stems',
  icon: AudioLines,
  brief: 'Vocals, drums, bass and the rest',
  promise: 'Split music into vocals, drums, bass and the rest, remix them, and save what you need.',
  takes: ['audio', 'video'],
  extensions: [...AUDIO_EXTENSIONS, '.mkv'],
  sample: SONG,
  measured: { file: 'A minute of music', seconds: 20, amount: 60, kind: 'sound' },
  example: { weights: ['stems'] },
  largeFiles: ['ort', 'stems', 'ffmpeg-core'],
  getSuffix: (details) => songSuffix(readSongFacts(details)),
  // Musicians come for four stems; the API's default stays two.
  startValues: { stems: 'four' },
};
