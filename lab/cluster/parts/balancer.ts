import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Network, WEB_HOSTS } from '../network/hosts.ts';
import { succeeds } from '../network/run-command.ts';
import { type Part, startPart, waitUntil } from './part.ts';
import { getWebPort } from './service-part.ts';

const PORT = 8080;

/** Balancer in front of the web hosts. */
export interface Balancer {
  readonly url: string;
  /** Sends kill -9. */
  kill(): Promise<void>;
  start(): Promise<void>;
}

/** Starts Debian's nginx on the host `edge`. @throws when it is not installed */
export async function startBalancer(network: Network, folder: string, logs: string): Promise<Balancer> {
  if (!(await succeeds(['nginx', '-v']))) throw new Error('nginx is missing: apt-get install nginx');
  const home = join(folder, 'nginx');
  await mkdir(home, { recursive: true });
  const configuration = join(home, 'nginx.conf');
  await writeFile(configuration, describeBalancer(network, home));
  const url = `http://${network.addressOf('edge')}:${PORT}`;
  let part: Part | undefined;
  const balancer: Balancer = {
    url,
    async kill() {
      await part?.kill();
    },
    async start() {
      part = startPart({
        command: network.commandOn('edge', ['nginx', '-e', join(home, 'error.log'), '-c', configuration]),
        log: join(logs, 'nginx.log'),
      });
      await waitUntil('nginx', () =>
        fetch(url).then(
          () => true,
          () => false,
        ),
      );
    },
  };
  await balancer.start();
  return balancer;
}

/** Describes the balancer in nginx's language, as docs/several-machines.md recommends. */
function describeBalancer(network: Network, home: string): string {
  const servers = WEB_HOSTS.map(
    (host) => `    server ${network.addressOf(host)}:${getWebPort(host)} max_fails=2 fail_timeout=5s;`,
  );
  return `daemon off;
master_process off;
user root;
pid ${home}/nginx.pid;
error_log ${home}/error.log;
events { worker_connections 1024; }
http {
  access_log off;
  client_body_temp_path ${home}/body;
  proxy_temp_path ${home}/proxy;
  fastcgi_temp_path ${home}/fastcgi;
  uwsgi_temp_path ${home}/uwsgi;
  scgi_temp_path ${home}/scgi;
  client_max_body_size 0;
  upstream web {
    least_conn;
${servers.join('\n')}
  }
  server {
    listen ${network.addressOf('edge')}:${PORT};
    location / {
      proxy_pass http://web;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host $http_host;
      proxy_set_header X-Forwarded-For $remote_addr;
      proxy_connect_timeout 2s;
      proxy_read_timeout 150s;
      proxy_buffering off;
    }
  }
}
`;
}
