import { expose } from 'comlink';
import { probeCapabilities } from './probe-capabilities.ts';

export interface CapabilityWorker {
  probe: typeof probeCapabilities;
}

const worker: CapabilityWorker = { probe: probeCapabilities };

expose(worker);
