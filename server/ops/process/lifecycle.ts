import { once } from 'node:events';
import { closeSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { devNull } from 'node:os';
import { StartRefusedError } from '../../base/start-refused-error.ts';

/** Variables of the environment that are known only once the embedded database runs. */
export type LateSettings = Readonly<Record<string, string>>;

/** Variable that tells a part to wait for its late settings: it loads its code while the database starts. */
export const AWAITS_SETTINGS = 'AWAITS_SETTINGS';

/** Message of the supervisor with late settings. */
interface SettingsMessage {
  readonly settings: LateSettings;
}

/** Steps of this process's stop, of which the last one runs first. */
const stopSteps: (() => Promise<void>)[] = [];
let isStopping = false;

/**
 * Adds a step of this process's stop. On SIGTERM, SIGINT, or when the parent that forked it is gone, all steps run once,
 * the last one first, and the process ends: so nothing outlives a killed supervisor.
 */
export function onStop(step: () => Promise<void>): void {
  stopSteps.push(step);
  if (stopSteps.length > 1) return;
  process.on('SIGTERM', () => void stop());
  process.on('SIGINT', () => void stop());
  process.on('disconnect', () => void stop());
  // The parent may have gone before anyone listened.
  if (process.connected === false) setImmediate(() => void stop());
}

async function stop(): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  for (let step = stopSteps.pop(); step; step = stopSteps.pop()) {
    await step().catch(() => {
      process.exitCode = 1;
    });
  }
  process.exit();
}

/** Tells the supervisor why a part cannot start, and that no restart would mend it. */
interface StartRefusal {
  readonly refusal: string;
}

export function isStartRefusal(message: unknown): message is StartRefusal {
  return typeof message === 'object' && message !== null && 'refusal' in message;
}

/** Messages between a supervisor and its parts. */
export const READY = 'ready';

export const HEALTH_PING = 'are you healthy?';

export const HEALTH_PONG = 'healthy';

const REPORT_EVERY_MS = 2_000;

/**
 * Tells the supervisor, if there is one, that this process works while its start takes long: for a migration, say. Tells
 * it the reason, too, when the work fails for one that no restart would mend.
 */
export async function reportStarting<T>(work: Promise<T>): Promise<T> {
  const timer = setInterval(() => process.send?.(HEALTH_PONG), REPORT_EVERY_MS);
  try {
    return await work;
  } catch (error) {
    if (error instanceof StartRefusedError) await sendToSupervisor({ refusal: error.message });
    throw error;
  } finally {
    clearInterval(timer);
  }
}

/** Sends a message and waits until it has left, since this process is about to end. */
async function sendToSupervisor(message: StartRefusal): Promise<void> {
  await new Promise<void>((resolve) => {
    if (process.send) process.send(message, () => resolve());
    else resolve();
  });
}

/**
 * Tells the supervisor, if there is one, that this process is ready. From then on it responds to the supervisor's
 * questions, as long as its event loop turns and it can open files: a process without descriptors serves no request.
 */
export function reportReady(): void {
  if (!process.send) return;
  process.on('message', (message) => {
    if (message === HEALTH_PING && canOpenFiles()) process.send?.(HEALTH_PONG);
  });
  process.send(READY);
}

const ALIVE_EVERY_MS = 10_000;

/** File whose time tells that a process without a port works. */
interface AliveFile {
  /** Touches it now and then, as long as the event loop of this process turns. */
  begin(): void;
  /** Ends that, and deletes the file. */
  end(): void;
}

/** Prepares the file that probes look at: what a killed process has left would count for this one while it starts. */
export function openAliveFile(path: string): AliveFile {
  let timer: NodeJS.Timeout | undefined;
  const touch = (): void => {
    try {
      writeFileSync(path, '');
    } catch {
      // A full disk, say, which says nothing about this process.
    }
  };
  const end = (): void => {
    clearInterval(timer);
    rmSync(path, { force: true });
  };
  end();
  return {
    begin() {
      // A stop may come while the process is still starting.
      if (isStopping) return;
      touch();
      timer = setInterval(touch, ALIVE_EVERY_MS).unref();
    },
    end,
  };
}

/** Synchronous, since the threads that open files may be busy. */
function canOpenFiles(): boolean {
  try {
    closeSync(openSync(devNull, 'r'));
    return true;
  } catch {
    return false;
  }
}

/**
 * Receives the late settings of this process into its environment; at once in a process that awaits none. The process
 * ends when its supervisor does before.
 */
export async function receiveSettings(): Promise<void> {
  if (process.env[AWAITS_SETTINGS] !== '1' || !process.channel) return;
  const leave = () => process.exit(1);
  process.once('disconnect', leave);
  const [message] = (await once(process, 'message')) as [SettingsMessage];
  process.off('disconnect', leave);
  Object.assign(process.env, message.settings);
}
