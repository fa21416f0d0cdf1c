import { describe, expect, test } from 'vitest';
import { once } from '../../src/cli/closing.ts';
import { Fault } from '../../src/domain/fault.ts';

describe('what is opened once', () => {
  test('is opened when it is asked for first, and is the same for everybody', () => {
    let opened = 0;
    const part = once(() => ({ number: ++opened }));
    expect(opened).toBe(0);
    expect(part()).toBe(part());
    expect(opened).toBe(1);
  });

  test('gives the same Fault to everybody who asks, and is not tried again', () => {
    let tried = 0;
    const part = once(() => {
      tried += 1;
      throw new Fault('configuration', 'It is not there.', 'Put it there.');
    });
    const told = [0, 1].map(() => {
      try {
        return part();
      } catch (error) {
        return error;
      }
    });
    expect(told[0]).toBeInstanceOf(Fault);
    expect(told[0]).toBe(told[1]);
    expect(tried).toBe(1);
  });

  test('keeps no bug: that is thrown as it comes', () => {
    let tried = 0;
    const part = once(() => {
      tried += 1;
      throw new TypeError('a bug');
    });
    expect(part).toThrow(TypeError);
    expect(part).toThrow(TypeError);
    expect(tried).toBe(2);
  });
});
