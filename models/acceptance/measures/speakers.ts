import type { AcceptanceTask } from '../../core/runtime/acceptance-test.ts';
import { diarizationError, errorPercent, type SpokenSegment } from '../scores/diarization-error.ts';

/** Length of the conversation, in seconds. */
const SECONDS = 30;
/** Seconds around each boundary of the truth that are not scored. */
const COLLAR = 0.25;

/** Measures the diarization error on a conversation of three, 0 for none: above 1 it is worse than silence. */
export async function measureFigure({ engine, sample, run, time }: AcceptanceTask): Promise<number> {
  const [conversation, truth] = await Promise.all([sample('conversation.mp3'), sample('conversation.json')]);
  const files = await time(SECONDS, () => run(conversation, { engine }));
  const { segments }: { segments: readonly SpokenSegment[] } = JSON.parse(
    (await files.get('output.json')?.text()) ?? '{"segments":[]}',
  );
  return errorPercent(diarizationError(JSON.parse(await truth.text()), segments, COLLAR)) / 100;
}
