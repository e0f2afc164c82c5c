import { OperationError } from '../../models/core/operation/errors.ts';

/** Rejects when a worker cannot start, crashes, or sends an unreadable message. Never resolves. */
export function workerFailure(worker: Worker): Promise<never> {
  return new Promise((_, reject) => {
    const fail = (reason: string) =>
      reject(new OperationError('internal', `The run failed on this device: ${reason}.`, { kind: 'fault' }));
    worker.onerror = (event) => {
      event.preventDefault();
      fail(event.message || 'its worker could not be started');
    };
    worker.onmessageerror = () => fail('its worker sent an unreadable message');
  });
}
