import assert from 'node:assert/strict';
import { ForkClock } from '../../../../server/forks/writes/fork-clock';

describe('ForkClock', () => {
  let wall = 0;
  let clock: ForkClock;
  beforeEach(() => {
    wall = 5_000_000;
    clock = new ForkClock(() => wall * 1000 + 999);
    clock.resume(100);
  });

  it('continues from the time of the fork point', () => {
    wall += 12;
    assert.equal(clock.next(), 112);
  });

  it('gives every block a later time', () => {
    assert.equal(clock.next(), 101);
    clock.resume(101);
    assert.equal(clock.next(), 102);
    clock.resume(102);
    wall += 1;
    assert.equal(clock.next(), 103);
  });

  it('continues from a time that was set', () => {
    clock.increase(3600);
    assert.equal(clock.next(), 3700);
    clock.setNext(5000);
    assert.equal(clock.next(), 5000);
    clock.resume(5000);
    wall += 2;
    assert.equal(clock.next(), 5002);
    clock.set(9000);
    assert.equal(clock.next(), 9000);
  });

  it('uses a fixed interval between blocks if one is set', () => {
    clock.setInterval(12);
    wall += 100;
    assert.equal(clock.next(), 112);
    clock.resume(112);
    assert.equal(clock.next(), 124);
    clock.setInterval(undefined);
    assert.equal(clock.next(), 113);
  });
});
