import { mediaOfName } from '../node.ts';
import type { OperationId } from '../types.ts';
import type { Command } from './command.ts';
import { COMMANDS } from './operation-commands.ts';

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
