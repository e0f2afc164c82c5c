/** Reports whether the visitor asked the browser to save data. */
export function isSavingData(): boolean {
  const { connection } = navigator as Navigator & { connection?: { saveData: boolean } };
  return connection?.saveData === true;
}
