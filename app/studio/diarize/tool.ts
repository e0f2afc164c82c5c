import { UsersRound } from 'lucide-react';
import { CONVERSATION } from '../files/samples.ts';
import { AUDIO_EXTENSIONS, type Tool } from '../tools/tool.ts';

export const diarizeTool: Tool = {
  operationId: 'audio-diarize',
  slug: 'diarize',
  name: 'Who spoke when',
  icon: UsersRound,
  brief: 'Every speaker, and how long',
  promise: 'See who spoke when in a recording and for how long, name the speakers, and save the timeline.',
  takes: ['audio', 'video'],
  extensions: [...AUDIO_EXTENSIONS, '.mkv'],
  sample: CONVERSATION,
  measured: { file: 'A minute of talk', seconds: 3.7, amount: 60, kind: 'sound' },
  example: { weights: ['silero-vad', 'speakers', 'overlap'] },
  // ffmpeg for sound that the browser does not decode.
  largeFiles: ['ort', 'silero-vad', 'speakers', 'overlap', 'ffmpeg-core'],
  suffix: '-speakers',
};
