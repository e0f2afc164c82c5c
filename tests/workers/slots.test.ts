import { describe, expect, it } from 'vitest';
import { createSlots } from '../../workers/slots.ts';

describe('slots', () => {
  it('give places in the order of asking, and no more than there are', async () => {
    const slots = createSlots(1);
    const order: string[] = [];
    const leaveFirst = await slots.take();
    const second = slots.take().then((leave) => {
      order.push('second');
      leave();
    });
    const third = slots.take().then((leave) => {
      order.push('third');
      leave();
    });
    await Promise.resolve();
    expect(order).toEqual([]);
    leaveFirst();
    await Promise.all([second, third]);
    expect(order).toEqual(['second', 'third']);
  });

  it('pass by who no longer waits', async () => {
    const slots = createSlots(1);
    const leave = await slots.take();
    const controller = new AbortController();
    const impatient = slots.take(controller.signal);
    const patient = slots.take();
    controller.abort(new Error('gone'));
    await expect(impatient).rejects.toThrow('gone');
    leave();
    await expect(patient).resolves.toBeTypeOf('function');
  });

  it('take a place back once only', async () => {
    const slots = createSlots(1);
    const leave = await slots.take();
    leave();
    leave();
    await slots.take();
    const controller = new AbortController();
    const third = slots.take(controller.signal);
    controller.abort(new Error('still full'));
    await expect(third).rejects.toThrow('still full');
  });

  it('refuse a signal that is already aborted', async () => {
    await expect(createSlots(1).take(AbortSignal.abort(new Error('too late')))).rejects.toThrow('too late');
  });
});
