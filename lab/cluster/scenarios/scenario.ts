import type { Cluster } from '../cluster.ts';
import type { WebHost } from '../network/hosts.ts';

/** Jobs at once that are still at work when a fault comes. */
export const BURST = 20;

/** Fault that a cluster must outlive, while jobs arrive. */
export interface Scenario {
  readonly name: string;
  /** Jobs at once at its beginning, besides the steady ones. */
  readonly burst?: number;
  /** Returns why this machine cannot run it; undefined when it can. */
  findObstacle?(cluster: Cluster): Promise<string | undefined>;
  /** Prepares the cluster before any job arrives. */
  prepare?(cluster: Cluster): Promise<void>;
  /**
   * Brings the fault about, and ends it.
   * @param sendTo names the web host that the fault does not touch; it gets every second job from now on
   */
  disturb(cluster: Cluster, sendTo: (healthy: WebHost | undefined) => void): Promise<void>;
}
