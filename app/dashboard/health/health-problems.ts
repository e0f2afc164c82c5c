import type { CallOutputs } from '../../../server/api/trpc/router.ts';
import { formatMoment } from '../../ui/dates.ts';
import { formatBytes, formatCount } from '../../ui/quantities.ts';
import { formatTimeSpan } from '../parts/format.ts';

export type HealthState = CallOutputs['health']['overview'];

/** Problem that an owner should look at. */
export interface HealthProblem {
  /** `bad`: the service does not do its work; `warn`: it soon may not. */
  readonly tone: 'bad' | 'warn';
  readonly text: string;
}

/** Wait of the oldest job that speaks for too few runners. */
const OLDEST_SECONDS_MAX = 300;
/** Free part of a disk below which it is nearly full. */
const FREE_PART_MIN = 0.1;
/** Age of a backup from which a new one is due. */
const BACKUP_DAYS_MAX = 7;
const DAY_MS = 86_400_000;

/**
 * Lists what is wrong with the service, the worst first; nothing when all is well.
 * @param nowMs moment of the state, by the same clock as its times
 */
export function healthProblems(health: HealthState, nowMs: number): HealthProblem[] {
  const { processes, stored } = health;
  const alive = processes.filter(({ isAlive }) => isAlive);
  const bad = [
    stored.works ? [] : ['The store does not read or write files.'],
    alive.some(({ part }) => part === 'runner') ? [] : ['No runner is alive: jobs wait.'],
    alive.flatMap(describeOutages),
    lackingKeys(alive),
    shortDisks(alive, 'full', 'is full: no job is accepted.'),
    health.scheduledTasks.flatMap(({ name, fault }) =>
      fault === null ? [] : [`${taskName(name)} failed: ${fault}`],
    ),
  ].flat();
  const faults = health.failures.filter(({ status }) => status === 'ERROR');
  const ours = faults.reduce((sum, { lastHour }) => sum + lastHour, 0);
  const warn = [
    ours > 0 ? [`${formatCount(ours, 'job')} failed by our fault in the last hour.`] : [],
    health.lanes
      // What waits for machines of accounts lacks no runner.
      .filter(({ lane, oldestSeconds }) => lane !== 'own' && oldestSeconds > OLDEST_SECONDS_MAX)
      .map(
        ({ lane, oldestSeconds }) =>
          `The oldest entry of "${lane}" has waited for ${formatTimeSpan(oldestSeconds)}.`,
      ),
    processes
      .filter(({ isAlive }) => !isAlive)
      .map(
        ({ part, host, silentSeconds }) =>
          `A ${part} on ${host} is silent since ${formatTimeSpan(silentSeconds)}.`,
      ),
    failedEngines(alive),
    deletedWeights(alive, nowMs),
    shortDisks(alive, 'low', 'has less than DISK_RESERVE_MB left: nothing of more than 10 MB is stored.'),
    fullDisks(alive),
    backupProblem(health, nowMs),
  ].flat();
  return [
    ...bad.map((text) => ({ tone: 'bad', text }) as const),
    ...warn.map((text) => ({ tone: 'warn', text }) as const),
  ];
}

/** Words the outages that a process sees: its work waits for their end. */
function describeOutages({
  part,
  host,
  facts: { outages = [] },
}: HealthState['processes'][number]): string[] {
  return outages.map(
    ({ dependency, since, failures }) =>
      `The ${part} on ${host} waits for the ${dependency} since ${formatMoment(since)}, after ${formatCount(failures, 'failure')} in a row.`,
  );
}

/** Names the processes without a key by which others encrypt the stored secrets. */
function lackingKeys(alive: HealthState['processes']): string[] {
  const used = new Set(alive.flatMap(({ facts }) => facts.secretsKeys?.slice(0, 1) ?? []));
  return alive.flatMap(({ part, host, pid, facts }) =>
    [...used]
      .filter((key) => facts.secretsKeys && !facts.secretsKeys.includes(key))
      .map((key) => `The ${part} ${pid} on ${host} lacks the key ${key} of SECRETS_KEY, which others use.`),
  );
}

function failedEngines(alive: HealthState['processes']): string[] {
  const texts = alive.flatMap(({ host, facts }) =>
    (facts.failedEngines ?? []).map(({ id, reason }) => `${id} is not used on ${host}. ${reason}`),
  );
  return [...new Set(texts)];
}

/** Names the models that made room for others within the last day: a run that needs one waits for its download. */
function deletedWeights(alive: HealthState['processes'], nowMs: number): string[] {
  const texts = alive.flatMap(({ host, facts }) =>
    (facts.evicted ?? [])
      .filter(({ at }) => nowMs - Date.parse(at) < DAY_MS)
      .map(
        ({ id }) =>
          `${id} was deleted on ${host} to make room for other models. MODELS_DISK_MB sets their limit.`,
      ),
  );
  return [...new Set(texts)];
}

/** Names the machines whose disk, or that of the temporary folder, is short of DISK_RESERVE_MB. */
function shortDisks(alive: HealthState['processes'], state: 'low' | 'full', text: string): string[] {
  const short = alive.filter(({ facts }) => facts.diskState === state);
  return [...new Set(short.map(({ host }) => `The disk of ${host} ${text}`))];
}

function fullDisks(alive: HealthState['processes']): string[] {
  const full = alive.filter(({ facts }) => facts.freeDiskBytes < FREE_PART_MIN * facts.diskBytes);
  const texts = full.map(
    ({ host, facts }) => `The disk of DATA_DIR on ${host} has only ${formatBytes(facts.freeDiskBytes)} left.`,
  );
  return [...new Set(texts)];
}

function backupProblem({ scheduledTasks }: HealthState, nowMs: number): string[] {
  const backup = scheduledTasks.find(({ name }) => name === 'backup');
  if (!backup) return ['No backup was made with the backup command.'];
  const days = (nowMs - Date.parse(backup.endedAt)) / DAY_MS;
  return days > BACKUP_DAYS_MAX ? [`The last backup is ${formatTimeSpan(days * 86_400)} old.`] : [];
}

const TASK_NAMES: Readonly<Record<string, string>> = {
  backup: 'Backup of the database',
  'clean-up': 'Deletion of expired files',
  'end-overdue': 'End of overdue jobs',
  'spending-alerts': 'Mails about spending',
  purge: 'Deletion of old jobs and logs',
  reconcile: 'Check of the ledger',
  'top-up': 'Automatic top-ups',
};

export function taskName(name: string): string {
  return TASK_NAMES[name] ?? name;
}
