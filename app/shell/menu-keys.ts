/**
 * Returns the link that a key moves the focus to in a menu of columns: up and down through all links, around at the
 * ends; left and right to the same row of the next column; Home and End.
 * @param current the focused element; where it is no link of the menu, the ways begin at the first or last link
 * @returns undefined for any other key, and for a key that changes nothing
 */
export function nextLink<Link>(
  columns: readonly (readonly Link[])[],
  current: unknown,
  key: string,
): Link | undefined {
  const all = columns.flat();
  const at = all.indexOf(current as Link);
  switch (key) {
    case 'ArrowDown':
      return all[(at + 1) % all.length];
    case 'ArrowUp':
      return all.at(at === -1 ? -1 : at - 1);
    case 'ArrowRight':
      return linkInColumn(columns, current, 1);
    case 'ArrowLeft':
      return linkInColumn(columns, current, -1);
    case 'Home':
      return at === -1 ? undefined : all[0];
    case 'End':
      return at === -1 ? undefined : all.at(-1);
    default:
      return undefined;
  }
}

function linkInColumn<Link>(
  columns: readonly (readonly Link[])[],
  current: unknown,
  step: 1 | -1,
): Link | undefined {
  const shown = columns.filter((column) => column.length > 0);
  const from = shown.findIndex((column) => column.includes(current as Link));
  if (from === -1) return undefined;
  const row = shown[from]?.indexOf(current as Link) ?? 0;
  const column = shown.at((from + step) % shown.length);
  return column?.[Math.min(row, column.length - 1)];
}
