import { mediaOfName } from '../node.ts';
import type { OperationId } from '../types.ts';

export interface Command {
  readonly name: string;
  /** Follows the input's name in the name of a result; empty where the extensions differ. */
  readonly suffix: string;
  /** Extension of a result whose format no param names. */
  readonly extension?: string;
  /** Name of the first of several results. */
  readonly first?: string;
}

/** Command of each operation. Its flags follow from the operation's params. */
export const COMMANDS: Readonly<Record<OperationId, Command>> = {
  'media-convert-image': { name: 'convert', suffix: '' },
  'remove-bg': { name: 'remove-bg', suffix: '-remove-bg' },
  upscale: { name: 'upscale', suffix: '-upscale' },
  'audio-separate-stems': { name: 'stems', suffix: '', first: 'vocals' },
  'audio-diarize': { name: 'who-spoke', suffix: '-who-spoke', extension: 'json' },
  'image-outpaint': { name: 'extend', suffix: '-extend' },
  'image-moderation': { name: 'moderate', suffix: '-moderate', extension: 'json' },
};

/** Finds the operation of a command by its name. */
export function findOperation(name: string): OperationId | undefined {
  return (Object.keys(COMMANDS) as OperationId[]).find((id) => COMMANDS[id].name === name);
}

/**
 * Returns the extension of the results of a run.
 * @param format that the params ask for
 */
export function extensionOf({ extension }: Command, input: string, format: string | undefined): string {
  return extension ?? format ?? (mediaOfName(input) === 'video' ? 'mp4' : 'png');
}
