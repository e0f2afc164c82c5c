import { useShortcuts } from '../../shortcuts/use-shortcuts.ts';

const BRUSH_KEYS = [
  { keys: ['K'], does: 'Keep what is painted' },
  { keys: ['E'], does: 'Erase what is painted' },
  { keys: ['[', ']'], does: 'Change the size of the brush' },
  { keys: [' '], does: 'Start or end a stroke, which the arrow keys move' },
  { keys: ['Escape'], does: 'Cancel a stroke' },
];
const PLACE_KEYS = [{ keys: ['[', ']'], does: 'Turn the subject' }];

/** Lists the keys of the view that edits, which its layer handles itself. */
export function useEditKeys(view: string): void {
  useShortcuts('Edits', view === 'brush' ? BRUSH_KEYS : view === 'place' ? PLACE_KEYS : []);
}
