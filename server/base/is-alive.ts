import { getErrorCode } from './error-code.ts';
/** Reports whether a process exists. Signal 0 only asks; EPERM means that it exists under another user. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return getErrorCode(error) === 'EPERM';
  }
}
