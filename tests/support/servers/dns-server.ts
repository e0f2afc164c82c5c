import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv6 } from 'node:net';

export interface DnsServer {
  /** `ip:port` */
  readonly address: string;
  /** Number of queries for a name. */
  queries(name: string): number;
  stop(): Promise<void>;
}

const A = 1;
const AAAA = 28;
const NXDOMAIN = 3;

/**
 * Starts a real name server on loopback.
 * @param zone addresses of each name. It never responds for names with `silent`, nor for a `name AAAA` with it; other
 *   names do not exist
 */
export async function startDnsServer(zone: Record<string, readonly string[] | 'silent'>): Promise<DnsServer> {
  const asked = new Map<string, number>();
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => {
    const { name, type, end } = getQuestion(query);
    asked.set(name, (asked.get(name) ?? 0) + 1);
    const found = (type === AAAA && zone[`${name} AAAA`]) || zone[name];
    if (found === 'silent') return;
    const records = (found ?? []).filter((ip) => type === (isIPv6(ip) ? AAAA : A));
    socket.send(answerTo(query.subarray(0, end), records, found ? 0 : NXDOMAIN), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    queries: (name) => asked.get(name) ?? 0,
    stop: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}

/** Reads the first question: RFC 1035, 4.1.2. */
function getQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

/** Writes a response that repeats the question: RFC 1035, 4.1. */
function answerTo(question: Buffer, addresses: readonly string[], code: number): Buffer {
  const head = Buffer.from(question);
  head.writeUInt16BE(0x8180 | code, 2);
  head.writeUInt16BE(addresses.length, 6);
  head.writeUInt32BE(0, 8);
  const records = addresses.map((ip) => {
    const data = isIPv6(ip) ? ipv6Bytes(ip) : Buffer.from(ip.split('.').map(Number));
    const record = Buffer.alloc(12);
    record.writeUInt16BE(0xc00c, 0);
    record.writeUInt16BE(isIPv6(ip) ? AAAA : A, 2);
    record.writeUInt16BE(1, 4);
    record.writeUInt16BE(data.length, 10);
    return Buffer.concat([record, data]);
  });
  return Buffer.concat([head, ...records]);
}

function ipv6Bytes(ip: string): Buffer {
  const [left = '', right = ''] = ip
    .split('::')
    .map((half) => half.split(':').filter(Boolean))
    .map((groups) => groups.map((group) => group.padStart(4, '0')).join(''));
  return Buffer.from(left.padEnd(32 - right.length, '0') + right, 'hex');
}
