const NAME = 'single-key-shortcuts';

/** Whether shortcuts of one character are on, which they are until the visitor turns them off. */
export function hasSingleKeys(): boolean {
  try {
    return localStorage.getItem(NAME) !== 'off';
  } catch {
    // Storage is denied to the page.
    return true;
  }
}

export function storeSingleKeys(isOn: boolean): void {
  try {
    if (isOn) localStorage.removeItem(NAME);
    else localStorage.setItem(NAME, 'off');
  } catch {
    // The choice then lasts as long as the page.
  }
}
