import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { ENV_NAMES } from '../../server/base/env.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const read = (file: string) => readFile(join(ROOT, 'deploy', file), 'utf8');

interface Part {
  readonly command: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

/** Expects a command to start a source of this project by Node. */
function expectStarts({ command }: Part, source: string): void {
  expect(command).toEqual(['node', '--import', 'tsx', source]);
  expect(existsSync(join(ROOT, source))).toBe(true);
}

/** Lists the packages of development that npm would leave, since another package can use them. */
async function listDevelopmentPackages(): Promise<readonly string[]> {
  const { packages } = JSON.parse(await readFile(join(ROOT, 'package-lock.json'), 'utf8'));
  const names = Object.keys(packages).map((path) => path.replace('node_modules/', ''));
  // Those within another package are its own.
  return names.filter(
    (name) => packages[`node_modules/${name}`]?.devOptional && !name.includes('node_modules/'),
  );
}

async function listSources(folder: string): Promise<readonly string[]> {
  const names = await readdir(join(ROOT, folder), { recursive: true });
  return names.filter((name) => name.endsWith('.ts')).map((name) => `${folder}/${name}`);
}

it('compose.yaml starts two of each process, with settings that exist', async () => {
  const { services } = parse(await read('compose.yaml'), { merge: true });
  const { web, runner } = services;
  expectStarts(web, 'server/ops/process/web.ts');
  expectStarts(runner, 'server/ops/process/runner.ts');
  for (const part of [web, runner]) {
    expect(part.deploy.replicas).toBe(2);
    expect(Object.keys(part.environment).filter((name) => !ENV_NAMES.includes(name))).toEqual([]);
    expect(Object.keys(part.environment)).toContain('SECRETS_KEY');
  }
});

it('kubernetes.yaml starts two of each process, with settings that exist', async () => {
  const text = await read('kubernetes.yaml');
  const documents = parseAllDocuments(text).map((document) => {
    expect(document.errors).toEqual([]);
    return document.toJS();
  });
  const settings = documents.find(({ kind }) => kind === 'ConfigMap').data;
  const secrets = [...text.matchAll(/--from-literal=(\w+)=/g)].map(([, name]) => name as string);
  const names = [...Object.keys(settings), ...secrets];
  expect(names.filter((name) => !ENV_NAMES.includes(name))).toEqual([]);
  for (const [name, source] of [
    ['web', 'server/ops/process/web.ts'],
    ['runner', 'server/ops/process/runner.ts'],
  ] as const) {
    const { spec } = documents.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name === name);
    expect(spec.replicas).toBe(2);
    expectStarts(spec.template.spec.containers[0], source);
  }
});

it('both say when a process works, and give it no rights', async () => {
  const { services } = parse(await read('compose.yaml'), { merge: true });
  for (const part of [services.web, services.runner]) {
    expect(part.healthcheck.test).toBeDefined();
    expect(part).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    });
  }
  const documents = parseAllDocuments(await read('kubernetes.yaml')).map((document) => document.toJS());
  for (const { spec } of documents.filter(({ kind }) => kind === 'Deployment')) {
    const { containers, ...pod } = spec.template.spec;
    expect(pod).toMatchObject({
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
    });
    expect(containers[0]).toMatchObject({
      startupProbe: expect.anything(),
      livenessProbe: expect.anything(),
      securityContext: {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      },
    });
  }
});

it('probes end no process that waits for its database, or whose disk is full, nor one that migrates for an hour', async () => {
  const documents = parseAllDocuments(await read('kubernetes.yaml')).map((document) => document.toJS());
  const probesOf = (name: string) =>
    documents.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name === name).spec.template.spec
      .containers[0];
  const [web, runner] = [probesOf('web'), probesOf('runner')];
  for (const probe of [web.startupProbe, web.livenessProbe]) expect(probe.httpGet.path).toBe('/api/live');
  expect(web.readinessProbe.httpGet.path).toBe('/api/health');
  // A file that a killed process has left tells nothing.
  expect(runner.startupProbe.exec).toEqual(runner.livenessProbe.exec);
  for (const { startupProbe } of [web, runner])
    expect(startupProbe.periodSeconds * startupProbe.failureThreshold).toBeGreaterThanOrEqual(3600);
});

it('alerts and dashboard ask for metrics that exist, and the runbook has a section for each alert', async () => {
  const source = await readFile(join(ROOT, 'server/api/metrics.ts'), 'utf8');
  const known = [...source.matchAll(/(?:gauge\(\s*'|name: 'darkroom_)(\w+)'/g)].map(
    ([, name]) => `darkroom_${name}`,
  );
  const rules = parse(await read('prometheus-rules.yaml')).groups[0].rules;
  const { panels } = JSON.parse(await read('grafana-dashboard.json'));
  const asked = [...rules, ...panels.flatMap(({ targets }: { targets: object[] }) => targets)];
  for (const { expr } of asked) {
    const names: string[] = expr.match(/darkroom_\w+/g) ?? [];
    const gauges = names.filter((name) => !name.startsWith('darkroom_http_request_seconds_'));
    expect(gauges.filter((name) => !known.includes(name))).toEqual([]);
  }
  const runbook = await readFile(join(ROOT, 'docs/runbook.md'), 'utf8');
  const sections = [...runbook.matchAll(/^## (\w+)$/gm)].map(([, name]) => name);
  expect(sections).toEqual(rules.map(({ alert }: { alert: string }) => alert));
});

/** Runs promtool. @throws Error with what it says, or with what to install where it is missing */
async function runPromtool(...args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('promtool', [...args]).catch((fault) => {
    if (fault.code === 'ENOENT') throw new Error('promtool is missing: apt-get install prometheus');
    throw new Error(`${fault.stdout}${fault.stderr}`);
  });
  return stdout;
}

/** Series of a service where all is well, by the minute. */
const WELL = {
  'darkroom_database_up{instance="one"}': '1x150',
  'darkroom_process_up{instance="one",part="runner",host="a",pid="1"}': '1x150',
  'darkroom_task_age_seconds{instance="one",task="backup"}': '60x150',
};

/** Series by which each alert fires, and its labels; null for a series that is absent. */
const FAULTS: Readonly<Record<string, readonly [series: Record<string, string | null>, labels?: object]>> = {
  DarkroomDown: [Object.fromEntries(Object.keys(WELL).map((series) => [series, null]))],
  DarkroomDatabaseDown: [
    {
      ...Object.fromEntries(Object.keys(WELL).map((series) => [series, null])),
      'darkroom_database_up{instance="one"}': '0x150',
    },
  ],
  DarkroomNoRunner: [{ 'darkroom_process_up{instance="one",part="runner",host="a",pid="1"}': null }],
  DarkroomQueueOld: [{ 'darkroom_lane_oldest_seconds{lane="long"}': '400x150' }, { lane: 'long' }],
  DarkroomQueueSlow: [
    {
      'darkroom_lane_oldest_seconds{lane="batch"}': '600x150',
      'darkroom_lane_oldest_seconds{lane="delivery"}': '4000x150',
    },
    { lane: 'delivery' },
  ],
  DarkroomErrors: [
    {
      'darkroom_failed_jobs_last_hour{instance="one",operation="stems",status="ERROR",code="crashed"}':
        '6x150',
      'darkroom_failed_jobs_last_hour{instance="two",operation="stems",status="ERROR",code="crashed"}':
        '6x150',
      'darkroom_failed_jobs_last_hour{instance="one",operation="stems",status="ERROR",code="internal"}':
        '5x150',
    },
  ],
  DarkroomRequestsFail: [
    {
      'darkroom_http_request_seconds_count{status="200"}': '0+90x150',
      'darkroom_http_request_seconds_count{status="503"}': '0+10x150',
    },
  ],
  DarkroomBreakerOpen: [
    { 'darkroom_breaker_open{part="runner",host="a",pid="1",dependency="store"}': '1x150' },
    { part: 'runner', host: 'a', dependency: 'store' },
  ],
  DarkroomDiskShort: [{ 'darkroom_disk_short{part="web",host="a",pid="2"}': '1x150' }, { host: 'a' }],
  DarkroomDiskFills: [
    {
      'darkroom_disk_free_bytes{part="web",host="a",pid="2"}': '100e9-100e6x150',
      // A process that has ended hides nothing.
      'darkroom_disk_free_bytes{part="web",host="a",pid="1"}': '100e9x15 stale',
    },
    { host: 'a' },
  ],
  DarkroomDatabaseBusy: [
    {
      'darkroom_database_connections{instance="one",state="active"}': '81x150',
      'darkroom_database_connections_max{instance="one"}': '100x150',
    },
  ],
  DarkroomPoolWaits: [
    {
      'darkroom_database_pool_pending{part="web",host="a",pid="2"}': '51x150',
      'darkroom_database_pool_max{part="web",host="a",pid="2"}': '10x150',
    },
    { part: 'web', host: 'a', pid: '2' },
  ],
  DarkroomChildKills: [
    {
      'darkroom_child_kills_total{instance="one",part="runner",host="a",pid="1",reason="stuck"}': '0+2x150',
      'darkroom_child_kills_total{instance="two",part="runner",host="a",pid="1",reason="stuck"}': '0+2x150',
    },
    { host: 'a', reason: 'stuck' },
  ],
  DarkroomLedger: [{ 'darkroom_task_failed{task="reconcile"}': '1x150' }],
  DarkroomTaskFails: [{ 'darkroom_task_failed{task="top-up"}': '1x150' }, { task: 'top-up' }],
  DarkroomBackupOld: [{ 'darkroom_task_age_seconds{instance="one",task="backup"}': null }],
  DarkroomKeysMissing: [
    { 'darkroom_secrets_keys_missing{part="web",host="a",pid="2"}': '1x150' },
    { part: 'web', host: 'a', pid: '2' },
  ],
  DarkroomWebhooksFail: [{ darkroom_webhook_deliveries_failing: '51x150' }],
};

it('Prometheus accepts the alert rules, each fires by its own fault alone, and none where all is well', {
  tags: ['long'],
}, async () => {
  const rules = join(ROOT, 'deploy/prometheus-rules.yaml');
  expect(await runPromtool('check', 'rules', rules)).toContain('SUCCESS');
  const named: { alert: string; labels: object }[] = parse(await readFile(rules, 'utf8')).groups[0].rules;
  expect(Object.keys(FAULTS).toSorted()).toEqual(named.map(({ alert }) => alert).toSorted());
  // Annotations are compared as well: these alerts are asked for without.
  const groups = [{ name: 'darkroom', rules: named.map((rule) => ({ ...rule, annotations: {} })) }];
  const tests = [
    [undefined, {}] as const,
    ...Object.entries(FAULTS).map(([name, [series]]) => [name, series] as const),
  ];
  const directory = await mkdtemp(join(tmpdir(), 'darkroom-rules-'));
  try {
    await writeFile(join(directory, 'rules.yaml'), JSON.stringify({ groups }));
    const test = {
      rule_files: ['rules.yaml'],
      evaluation_interval: '1m',
      tests: tests.map(([fault, series]) => ({
        name: fault ?? 'all is well',
        interval: '1m',
        input_series: Object.entries({ ...WELL, ...series }).flatMap(([name, values]) =>
          values === null ? [] : [{ series: name, values }],
        ),
        alert_rule_test: named.map(({ alert, labels }) => ({
          eval_time: '2h',
          alertname: alert,
          exp_alerts: alert === fault ? [{ exp_labels: { ...labels, ...FAULTS[alert]?.[1] } }] : [],
        })),
      })),
    };
    await writeFile(join(directory, 'test.yaml'), JSON.stringify(test));
    expect(await runPromtool('test', 'rules', join(directory, 'test.yaml'))).toContain('SUCCESS');
  } finally {
    await rm(directory, { recursive: true });
  }
});

it('the image is made of files that exist, and does not run as root', async () => {
  const lines = (await read('Dockerfile')).split('\n');
  expect(lines).toContain('USER node');
  const copied = lines
    .find((line) => line.startsWith('COPY package.json'))
    ?.split(' ')
    .slice(1, -1);
  expect(copied?.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
});

it('the image lacks packages that no code of the service imports', async () => {
  expect(await read('Dockerfile')).toContain('deploy/remove-build-packages.sh');
  const names = [
    ...(await read('remove-build-packages.sh')).matchAll(/^ {2}([@\w][\w@/.-]*)(?: \\)?$/gm),
  ].map(([, name = '']) => name);
  const { dependencies } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
  expect(names).toContain('nsfwjs');
  expect(names.filter((name) => !(name in dependencies))).toEqual([]);
  const removed = [...names, 'typescript', ...(await listDevelopmentPackages())];
  expect(removed).toContain('vitest');
  const imported = new RegExp(`(?:from|import\\(|resolve\\()\\s*'(?:${removed.join('|')})(?:'|/)`);
  const sources = await Promise.all(['models', 'drizzle', 'server'].map(listSources));
  const needing: string[] = [];
  for (const file of sources.flat()) {
    const isOfService = !file.startsWith('server/ops/build/');
    if (isOfService && imported.test(await readFile(join(ROOT, file), 'utf8'))) needing.push(file);
  }
  expect(needing).toEqual([]);
});
