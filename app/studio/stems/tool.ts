import { AudioLines } from 'lucide-react';
import { readSongFacts, songSuffix } from '../../../models/operations/stems/song-facts.ts';
import { SONG } from '../files/samples.ts';
import { AUDIO_EXTENSIONS, type Tool } from '../tools/tool.ts';

export const stemsTool: Tool = {
  operationId: 'audio-separate-stems',
  slug: 'stems',
  name: 'Split stems',
  icon: AudioLines,
  brief: 'Vocals, drums, bass, other',
  promise: 'Split a song into vocals, drums, bass and the rest.',
  takes: ['audio', 'video'],
  extensions: [...AUDIO_EXTENSIONS, '.mkv'],
  sample: SONG,
  measured: [{ seconds: 20, amount: 60, kind: 'sound' }],
  largeFiles: ['ort', 'stems', 'ffmpeg-core'],
  getSuffix: (details) => songSuffix(readSongFacts(details)),
  // Musicians come for four stems; the API's default stays two.
  startValues: { stems: 'four' },
};
