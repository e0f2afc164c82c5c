import { expose } from 'comlink';
import { probeCapabilities } from './runtime/capabilities.ts';

export interface CapabilityWorker {
  probe: typeof probeCapabilities;
}

const worker: CapabilityWorker = { probe: probeCapabilities };

expose(worker);
