import { once } from 'node:events';

/** Variables of the environment that are known only once the embedded database runs. */
export type LateSettings = Readonly<Record<string, string>>;

/** Variable that tells a part to wait for its late settings: it loads its code while the database starts. */
export const AWAITS_SETTINGS = 'AWAITS_SETTINGS';

/** Message of the supervisor with late settings. */
export interface SettingsMessage {
  readonly settings: LateSettings;
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
