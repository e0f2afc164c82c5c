/** Hosts of a cluster; `link` has the TCP proxy that delays and stalls, `console` is where the bench itself runs. */
export const HOSTS = ['web1', 'web2', 'runner1', 'runner2', 'data', 'edge', 'link'] as const;

export type Host = (typeof HOSTS)[number];
export type WebHost = Extract<Host, `web${number}`>;
export type RunnerHost = Extract<Host, `runner${number}`>;
/** Host whose process serves or runs jobs, and so needs the database and the store. */
export type ServiceHost = WebHost | RunnerHost;

export const WEB_HOSTS: readonly WebHost[] = ['web1', 'web2'];
export const RUNNER_HOSTS: readonly RunnerHost[] = ['runner1', 'runner2'];
export const SERVICE_HOSTS: readonly ServiceHost[] = [...WEB_HOSTS, ...RUNNER_HOSTS];

/** Last byte of each host's IPv4 address; `console` is 1. */
export const LAST_BYTES: Readonly<Record<Host, number>> = {
  web1: 11,
  web2: 12,
  runner1: 21,
  runner2: 22,
  data: 31,
  edge: 41,
  link: 51,
};

/** Network of a cluster: an address for each host, and links that can be cut. */
export interface Network {
  /** Words for the report: what the network consists of, and what it lacks. */
  readonly description: string;
  /** Whether its links can be cut and its routes changed. */
  readonly hasLinks: boolean;
  /** Address range of all hosts, in CIDR notation. */
  readonly range: string;
  addressOf(host: Host): string;
  /** Returns the command line that runs another one on a host. */
  commandOn(host: Host, command: readonly string[]): readonly string[];
  /**
   * Cuts a host off from all others, without a word to anybody.
   * @returns false where this network has no such link
   */
  cut(host: Host): Promise<boolean>;
  /** Makes a host drop whatever it would send to another one, where the network has links. */
  blackhole(from: Host, to: Host): Promise<void>;
  /** Makes a host lose a percentage of the packets that it sends. @returns false where the kernel has no netem */
  lose(host: Host, percent: number): Promise<boolean>;
  /** Ends `cut`, `blackhole` and `lose` for a host. */
  mend(host: Host): Promise<void>;
  /** Removes everything that was made. */
  close(): Promise<void>;
}
