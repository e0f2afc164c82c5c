import { isIP, type LookupFunction } from 'node:net';
import { Agent, buildConnector } from 'undici';
import { mayReach, type Reach, reachableAddresses } from './addresses.ts';
import { FetchFault } from './fetch-fault.ts';

export interface AgentTimeouts {
  /** Name look-up, TCP and TLS together. */
  readonly connectMs: number;
  /** From the request to the head of the answer. */
  readonly headersMs: number;
  /** Between two pieces of the body. */
  readonly stallMs: number;
}

/**
 * An agent that connects to reachable addresses only. What is checked is what is connected to: the socket gets the
 * checked addresses instead of a name to look up again, so a name that changes its answer (DNS rebinding) gains
 * nothing. Made for one call and destroyed after it.
 */
export function createSafeAgent(reach: Reach, timeouts: AgentTimeouts): Agent {
  const connect = buildConnector({
    timeout: timeouts.connectMs,
    lookup: checkedLookup(reach),
    autoSelectFamily: true,
  });
  return new Agent({
    connect: (options, callback) => {
      // A literal never comes to the look-up.
      if (isIP(options.hostname) && !mayReach(options.hostname, reach.allowNetworks)) {
        callback(new FetchFault('must lead to a public address'), null);
        return;
      }
      connect(options, (error, socket) => {
        if (error) {
          callback(error, null);
        } else if (!mayReach(socket.remoteAddress ?? '', reach.allowNetworks)) {
          socket.destroy();
          callback(new FetchFault('must lead to a public address'), null);
        } else {
          callback(null, socket);
        }
      });
    },
    headersTimeout: timeouts.headersMs,
    bodyTimeout: timeouts.stallMs,
    maxHeaderSize: 32_768,
    pipelining: 0,
  });
}

function checkedLookup(reach: Reach): LookupFunction {
  return (hostname, options, callback) => {
    reachableAddresses(hostname, reach).then(
      (addresses) => {
        if (options.all) callback(null, [...addresses]);
        else callback(null, addresses[0].address, addresses[0].family);
      },
      (error) => callback(error, ''),
    );
  };
}
