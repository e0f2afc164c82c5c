/** Sentence of each kind of warning, made of the names that stand in it. The sentences are part of the API. */
const SENTENCES = {
  no_subject: () =>
    'no_subject: No subject was found, so nothing of the picture is left. The service does not charge for it.',
  replaced: (failed: string, ran: string) => `${failed} could not be used; ${ran} took its place.`,
  engine_failed: (message: string) => message,
  fallback: (ran: string) =>
    `No larger model was available, so the bundled one, ${ran}, found the subject. Its outline may be less exact.`,
  other_provider: (fault: string, used: string) => `${fault}; ${used} was used instead.`,
  of_step: (id: string, message: string) => `steps.${id}: ${message}`,
  not_enlarged: (size: string) =>
    `not_enlarged: The image has ${size} pixels there, fewer than asked for, and stayed at them. Send enlarge: true to let it grow.`,
  max_bytes_not_reached: (bytes: string) =>
    `max_bytes_not_reached: Even at the lowest quality the file has ${bytes} bytes. Choose a smaller size or another format.`,
  no_resolution: (format: string) => `dpi: ${format} files hold no print resolution, so none was written.`,
  no_metadata: (format: string) =>
    `keep_metadata: ${format} files hold no EXIF, XMP or colour profile, so none was kept.`,
  lost_blocks: (format: string, blocks: string) =>
    `keep_metadata: ${format} files hold no ${blocks}, so this was left out.`,
  lost_texts: (format: string, keywords: string) =>
    `keep_metadata: ${format} files cannot hold these texts of the image, so they were left out: ${keywords}.`,
  lost_maker_note: () =>
    "keep_metadata: the camera's MakerNote was left out, since it would not be readable at another place.",
  lost_regions: (names: string) =>
    `keep_metadata: the image was turned or reshaped, so what its XMP says of places in it was left out: ${names}.`,
  unreadable_xmp: () => 'keep_metadata: the XMP of the image is damaged, so it was left out.',
  oversized_metadata: (block: string) =>
    `keep_metadata: the ${block} of the image is larger than the 64 kB that a JPEG holds, so it was left out.`,
  gain_map: () => 'The HDR gain map was left out: the result has the standard range of brightness.',
  tone_mapped: () =>
    'The image has a high dynamic range: its brightness was compressed to that of an ordinary image.',
  first_page: (pages: string) => `Only the first of ${pages} pages was read: they differ in size or kind.`,
  lost_frames: (frames: string) => `The image has ${frames} frames: only the first is kept.`,
  lost_pages: (pages: string) => `The file has ${pages} pages: only the first is kept.`,
  lost_images: (images: string) => `The file holds ${images} images: only its primary one is kept.`,
  reduced_copy: () => 'The file begins with a reduced copy of the image: the full image was read instead.',
  missing_end: (part: string) => `The file ends too early: ${part} is missing. The image itself is there.`,
  missing_frames: (found: string, stated: string) =>
    `The file ends too early: it has ${found} of its ${stated} frames.`,
  flattened: () => 'The video is transparent in places. The result is not: they are white.',
  prompt_unread: (engine: string, readers: string) =>
    `prompt: it was not applied, since ${
      engine === 'auto'
        ? `only a named engine reads it: ${readers}`
        : `${engine} does not read text: ${readers} does`
    }. The image was extended without it.`,
  weak_fill: (cause: string) =>
    `fill_quality: the image was extended by the simple fill, without a model, and ${cause}. The result may not convince.`,
  prompt_cut: (tokens: string) => `prompt: the model reads ${tokens} tokens; the rest was left out.`,
  not_judged: () => 'No model for the safety check was available. The added area repeats parts of the image.',
  fewer_speakers: (asked: string) =>
    `speaker_count: there is too little speech to split it among ${asked} speakers.`,
  cut_off: (seconds: string) =>
    `The audio is cut off: the result covers the ${seconds} s that could be read.`,
  cut_off_video: (seconds: string) =>
    `The video is cut off: the result covers the ${seconds} s that could be read.`,
  second_file: () => 'The file holds a second file behind the first. Only the first was read.',
  damaged_audio: (seconds: string, places: string) =>
    `The audio is damaged: ${seconds} s could not be read and are silent, ${places}.`,
  damaged_video: (seconds: string, places: string) =>
    `The video is damaged: ${seconds} s of pictures could not be read, ${places}.`,
  lowered_audio: (decibels: string) =>
    `The audio exceeds full scale. It was lowered by ${decibels} dB, so that nothing is clipped.`,
  dropped_tracks: (tracks: string, number: string, label: string) =>
    `The file has ${tracks} audio tracks. Only number ${number}${label && ` (${label})`} was used.`,
  reencoded_audio: (written: string, format: string, read: string) =>
    `The audio was re-encoded as ${written}, since ${format} does not hold ${read}.`,
  downmixed_audio: (channels: string) => `The ${channels} channels of the audio were mixed to stereo.`,
  unconverted_audio: (codec: string, format: string) =>
    `The audio was omitted: this browser cannot convert ${codec} for ${format}.`,
  unreadable_audio: (fault: string) => `The audio was omitted: it cannot be read. ${fault}`,
};

type Sentences = typeof SENTENCES;

export type WarningKind = keyof Sentences;

/** Shortfall of a run against its request. */
export interface RunWarning {
  readonly kind: WarningKind;
  /** Values that the message is made of: engines, formats, numbers. */
  readonly names: readonly string[];
  /** Sentence for the user, as the API returns it. */
  readonly message: string;
}

type Names = { readonly [Kind in WarningKind]: Parameters<Sentences[Kind]> };
const WRITERS: { readonly [Kind in WarningKind]: (...names: Names[Kind]) => string } = SENTENCES;

/** Makes a warning. */
export function formatWarning<Kind extends WarningKind>(kind: Kind, ...names: Names[Kind]): RunWarning {
  return { kind, names, message: WRITERS[kind](...names) };
}

/** Warnings as jobs store them: those of earlier versions hold the messages alone. */
export type StoredWarnings = readonly ({ readonly kind?: string; readonly message: string } | string)[];

/** Returns the messages of warnings, as the API returns them. */
export function getMessages(warnings: StoredWarnings): readonly string[] {
  return warnings.map((warning) => (typeof warning === 'string' ? warning : warning.message));
}

/** Reports whether a run has succeeded without anything to charge for: its result is empty. */
export function isEmptyResult(warnings: StoredWarnings): boolean {
  return warnings.some((warning) => typeof warning !== 'string' && warning.kind === 'no_subject');
}

/** Warnings in order, each once. */
export class WarningSet implements Iterable<RunWarning> {
  readonly #byMessage = new Map<string, RunWarning>();

  constructor(warnings: readonly RunWarning[] = []) {
    this.add(...warnings);
  }

  add(...warnings: readonly RunWarning[]): void {
    for (const warning of warnings) this.#byMessage.set(warning.message, warning);
  }

  [Symbol.iterator](): Iterator<RunWarning> {
    return this.#byMessage.values();
  }
}
