'use client';

/** Prints the page, which leaves out everything around it. */
export function PrintButton() {
  return (
    <button type="button" className="button" onClick={() => window.print()}>
      Print
    </button>
  );
}
