import { readdir } from 'node:fs/promises';
import { isAlive } from '../../../server/base/is-alive.ts';
import { HOSTS, type Host, LAST_BYTES, type Network } from './hosts.ts';
import { runCommand, succeeds } from './run-command.ts';

/** Part of the names of our namespaces; the id of the process that made them and the host follow. */
const PREFIX = 'darkroom';
const FOLDER = '/run/netns';
/** Three bytes of the range, which routers never hand out: RFC 2544 keeps it for benchmarks. */
const NETWORK = '198.18.77';
const RANGE = `${NETWORK}.0/24`;
const SWITCH = 'switch';
/** Our only interface outside of the namespaces: the bench itself sends its jobs through it. */
const CONSOLE = 'darkroom0';
const CONSOLE_BYTE = 1;
/** Looks for processes of a namespace, each 100 ms after the one before. */
const PIDS_ROUNDS = 10;

/**
 * Makes a namespace for each host, joined by a bridge in another one. Needs root and Linux.
 * @throws when the kernel refuses, or another cluster is alive
 */
export async function openNamespaces(): Promise<Network> {
  await removeAbandoned();
  const getName = (part: string) => `${PREFIX}-${process.pid}-${part}`;
  const cutHosts = new Set<Host>();
  const blackholes = new Map<Host, string[]>();
  const losing = new Set<Host>();
  const network: Network = {
    description: `network namespaces, ${RANGE}`,
    hasLinks: true,
    range: RANGE,
    addressOf: (host) => `${NETWORK}.${LAST_BYTES[host]}`,
    commandOn: (host, command) => ['ip', 'netns', 'exec', getName(host), ...command],
    async cut(host) {
      cutHosts.add(host);
      await ip(getName(SWITCH), ['link', 'set', getPort(host), 'down']);
      return true;
    },
    async blackhole(from, to) {
      const route = `${network.addressOf(to)}/32`;
      await ip(getName(from), ['route', 'add', 'blackhole', route]);
      blackholes.set(from, [...(blackholes.get(from) ?? []), route]);
    },
    async lose(host, percent) {
      const netem = ['root', 'netem', 'loss', `${percent}%`];
      const isLossy = await succeeds([
        'tc',
        '-n',
        getName(host),
        'qdisc',
        'replace',
        'dev',
        'eth0',
        ...netem,
      ]);
      if (isLossy) losing.add(host);
      return isLossy;
    },
    async mend(host) {
      if (losing.delete(host))
        await runCommand(['tc', '-n', getName(host), 'qdisc', 'del', 'dev', 'eth0', 'root']);
      if (cutHosts.delete(host)) await ip(getName(SWITCH), ['link', 'set', getPort(host), 'up']);
      for (const route of blackholes.get(host) ?? [])
        await ip(getName(host), ['route', 'del', 'blackhole', route]);
      blackholes.delete(host);
    },
    close: () => removeNamespaces([...HOSTS, SWITCH].map(getName)),
  };
  try {
    await joinHosts(getName);
  } catch (thrown) {
    await network.close();
    throw thrown;
  }
  return network;
}

/** Returns the name of a host's interface at the bridge. */
const getPort = (host: Host): string => `to-${host}`;

async function ip(namespace: string, command: readonly string[]): Promise<void> {
  await runCommand(['ip', '-n', namespace, ...command]);
}

async function joinHosts(getName: (part: string) => string): Promise<void> {
  const hub = getName(SWITCH);
  await runCommand(['ip', 'netns', 'add', hub]);
  await ip(hub, ['link', 'add', 'bridge', 'type', 'bridge']);
  await ip(hub, ['link', 'set', 'bridge', 'up']);
  for (const host of HOSTS) {
    const name = getName(host);
    await runCommand(['ip', 'netns', 'add', name]);
    await ip(name, ['link', 'set', 'lo', 'up']);
    await ip(hub, ['link', 'add', getPort(host), 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name]);
    await ip(hub, ['link', 'set', getPort(host), 'master', 'bridge', 'up']);
    await ip(name, ['address', 'add', `${NETWORK}.${LAST_BYTES[host]}/24`, 'dev', 'eth0']);
    await ip(name, ['link', 'set', 'eth0', 'up']);
  }
  await ip(hub, [
    'link',
    'add',
    'console',
    'type',
    'veth',
    'peer',
    'name',
    CONSOLE,
    'netns',
    String(process.pid),
  ]);
  await ip(hub, ['link', 'set', 'console', 'master', 'bridge', 'up']);
  await runCommand(['ip', 'address', 'add', `${NETWORK}.${CONSOLE_BYTE}/24`, 'dev', CONSOLE]);
  await runCommand(['ip', 'link', 'set', CONSOLE, 'up']);
}

/** Removes what a bench that was killed has left. @throws when another one is alive */
async function removeAbandoned(): Promise<void> {
  const names = (await readdir(FOLDER).catch(() => [])).filter((name) => name.startsWith(`${PREFIX}-`));
  const isOwned = (name: string) => isAlive(Number(name.split('-')[1]));
  const owned = names.find(isOwned);
  if (owned) throw new Error(`A cluster is running, as the namespace ${owned} shows. End it first.`);
  await removeNamespaces(names);
}

/** Ends whatever still runs in our namespaces, and removes them with their interfaces. */
async function removeNamespaces(names: readonly string[]): Promise<void> {
  for (const name of names) {
    for (let round = 0; round < PIDS_ROUNDS && (await endProcesses(name)) > 0; round++);
    await succeeds(['ip', 'netns', 'delete', name]);
  }
}

async function endProcesses(namespace: string): Promise<number> {
  const pids = (await runCommand(['ip', 'netns', 'pids', namespace]).catch(() => ''))
    .split('\n')
    .filter(Boolean);
  for (const pid of pids) {
    try {
      process.kill(Number(pid), 'SIGKILL');
    } catch {
      // It has just ended.
    }
  }
  if (pids.length > 0) await new Promise((resolve) => setTimeout(resolve, 100));
  return pids.length;
}
