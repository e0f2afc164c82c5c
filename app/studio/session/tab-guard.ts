/** Owners of work that ends with the tab. */
const busy = new Set<object>();

/** Asks before the tab closes as long as anybody is at work, whichever page is shown. */
export function guardTab(owner: object, isBusy: boolean): void {
  if (isBusy) busy.add(owner);
  else busy.delete(owner);
  if (busy.size > 0) addEventListener('beforeunload', ask);
  else removeEventListener('beforeunload', ask);
}

function ask(event: BeforeUnloadEvent): void {
  event.preventDefault();
}
