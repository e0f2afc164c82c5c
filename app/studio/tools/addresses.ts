// What the web server must know of the tools' pages. Without the tools' cards and icons, which would slow its start.

/** Former paths of the studio's pages, with today's, without slashes: they redirect, and what is stored for them is found. */
export const FORMER_SLUGS: Readonly<Record<string, string>> = {
  safety: 'moderate',
  'who-spoke': 'diarize',
  device: 'settings',
};

/** Paths of the pages that record from the microphone, without slashes: those of the tools that read sound. */
export const RECORDING_SLUGS: readonly string[] = ['diarize', 'stems'];
