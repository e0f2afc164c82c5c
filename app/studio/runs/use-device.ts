'use client';

import type { Device } from '../../../models/core/runtime/fit.ts';
import { readDevice } from '../../../workers/device/read-device.ts';
import { useStorage } from './stored-weights.ts';

/** Returns what this device offers to runs, and updates after every change of the stored models; undefined at first. */
export function useDevice(): Device | undefined {
  return useStorage(readDevice);
}
