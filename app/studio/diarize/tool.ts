import { UsersRound } from 'lucide-react';
import { CONVERSATION } from '../files/samples.ts';
import { AUDIO_EXTENSIONS, type Tool } from '../tools/tool.ts';

export const diarizeTool: Tool = {
  operationId: 'audio-diarize',
  slug: 'diarize',
  name: 'Who spoke when',
  icon: UsersRound,
  brief: 'In audio and video',
  promise: 'See who spoke when, and for how long.',
  takes: ['audio', 'video'],
  extensions: [...AUDIO_EXTENSIONS, '.mkv'],
  sample: CONVERSATION,
  measured: [{ seconds: 3.7, amount: 60, kind: 'sound' }],
  // ffmpeg for sound that the browser does not decode.
  largeFiles: ['ort', 'silero-vad', 'speakers', 'overlap', 'ffmpeg-core'],
  suffix: '-speakers',
};
