import { Cell } from '../../../models/core/cell.ts';

export type RecordingFault = 'denied' | 'no-device' | 'unsupported' | 'reload' | 'failed';

export type RecorderState =
  | { readonly phase: 'resting' | 'asking' }
  | { readonly phase: 'recording'; readonly seconds: number; readonly level: number }
  | { readonly phase: 'failed'; readonly fault: RecordingFault };

/** The most that the operations accept. */
const SECONDS_MAX = 4 * 3600;
const BYTES_MAX = 500_000_000;
/** Time between two parts of the recording, by which its size is known. */
const PART_MS = 1000;
const METER_MS = 100;
const TYPES = ['audio/webm;codecs=opus', 'audio/mp4', 'audio/ogg;codecs=opus'];
const EXTENSIONS: Readonly<Record<string, string>> = {
  'audio/webm': 'webm',
  'audio/mp4': 'm4a',
  'audio/ogg': 'ogg',
};
const FAULTS: Readonly<Record<string, RecordingFault>> = {
  NotAllowedError: 'denied',
  NotFoundError: 'no-device',
  OverconstrainedError: 'no-device',
};
/** Document with the feature policy that only Chromium has. */
type PolicyDocument = Document & { featurePolicy?: { allowsFeature(name: string): boolean } };

/** Records from the microphone into one file. Its tracks are stopped whenever a recording ends, in whatever way. */
export class Recorder {
  readonly state = new Cell<RecorderState>({ phase: 'resting' });
  readonly #onFile: (file: File) => void;
  #ending: AbortController | undefined;
  #media: MediaRecorder | undefined;

  constructor(onFile: (file: File) => void) {
    this.#onFile = onFile;
  }

  /** Asks for the microphone and records until `stop`, `cancel` or the largest size. */
  readonly start = async (): Promise<void> => {
    if (this.#ending) return;
    const type = typeof MediaRecorder === 'undefined' ? undefined : TYPES.find(MediaRecorder.isTypeSupported);
    if (!type || !navigator.mediaDevices) return this.#fail('unsupported');
    // A page reached without a load keeps the policy of the one before.
    if ((document as PolicyDocument).featurePolicy?.allowsFeature('microphone') === false) {
      return this.#fail('reload');
    }
    const ending = new AbortController();
    this.#ending = ending;
    this.state.set({ phase: 'asking' });
    try {
      const stream = await navigator.mediaDevices.getUserMedia({ audio: true });
      const release = () => {
        for (const track of stream.getTracks()) track.stop();
      };
      if (ending.signal.aborted) return release();
      ending.signal.addEventListener('abort', release);
      this.#record(stream, type, ending.signal);
    } catch (thrown) {
      if (ending.signal.aborted) return;
      this.#end();
      this.#fail(FAULTS[(thrown as Error).name] ?? 'failed');
    }
  };

  /** Ends the recording and hands its file over. */
  readonly stop = (): void => {
    if (this.#media?.state === 'recording') this.#media.stop();
  };

  /** Ends without a file. */
  readonly cancel = (): void => {
    this.#end();
    this.state.set({ phase: 'resting' });
  };

  #record(stream: MediaStream, mimeType: string, signal: AbortSignal): void {
    const media = new MediaRecorder(stream, { mimeType });
    const parts: Blob[] = [];
    let bytes = 0;
    media.addEventListener(
      'dataavailable',
      ({ data }) => {
        parts.push(data);
        bytes += data.size;
        if (bytes >= BYTES_MAX - data.size * 2) this.stop();
      },
      { signal },
    );
    media.addEventListener(
      'error',
      () => {
        this.#end();
        this.#fail('failed');
      },
      { signal },
    );
    media.addEventListener(
      'stop',
      () => {
        this.cancel();
        if (bytes > 0) this.#onFile(createFile(parts, media.mimeType || mimeType));
      },
      { signal },
    );
    this.#media = media;
    media.start(PART_MS);
    this.#meter(stream, signal);
  }

  /** Shows time and level, and ends at the longest time. */
  #meter(stream: MediaStream, signal: AbortSignal): void {
    const context = new AudioContext();
    const analyser = context.createAnalyser();
    context.createMediaStreamSource(stream).connect(analyser);
    const samples = new Float32Array(analyser.fftSize);
    const startMs = performance.now();
    const show = () => {
      analyser.getFloatTimeDomainData(samples);
      const level = samples.reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0);
      const seconds = (performance.now() - startMs) / 1000;
      this.state.set({ phase: 'recording', seconds, level: Math.min(1, level) });
      if (seconds >= SECONDS_MAX - PART_MS / 1000) this.stop();
    };
    const timer = setInterval(show, METER_MS);
    signal.addEventListener('abort', () => {
      clearInterval(timer);
      void context.close();
    });
    show();
  }

  #end(): void {
    this.#ending?.abort();
    this.#ending = undefined;
    this.#media = undefined;
  }

  #fail(fault: RecordingFault): void {
    this.state.set({ phase: 'failed', fault });
  }
}

function createFile(parts: readonly Blob[], mimeType: string): File {
  const [type = mimeType] = mimeType.split(';');
  // Sweden writes a local time as ISO 8601 does.
  const time = new Date().toLocaleString('sv').slice(0, 16).replace(' ', '-').replace(':', '');
  return new File([...parts], `recording-${time}.${EXTENSIONS[type] ?? 'webm'}`, { type });
}
