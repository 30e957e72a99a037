import assert from 'node:assert/strict';
import { RpcError } from '../../../../server/evm/forms/json-rpc';
import { ByteBudget, type ReservedBytes } from '../../../../server/forks/address/byte-budget';

const ofFork = (limit = 100): { fork: ByteBudget; connect: (limit?: number) => ByteBudget } => {
  const service = new ByteBudget('the service', 1_000);
  const fork = new ByteBudget('the fork', limit, service);
  return { fork, connect: (bound = 50) => new ByteBudget('the connection', bound, fork) };
};

describe('a byte budget', () => {
  it('refuses requests beyond it, with the name of its scope', () => {
    const { connect } = ofFork();
    const [first, second, third] = [connect(), connect(), connect()];
    const reserved = first.take(50);
    second.take(40);
    const refused = (budget: ByteBudget, bytes: number, scope: string, limit: number): void => {
      const message = `${scope} has too many bytes of pending requests and answers; accepted: up to ${limit}; read the answers, or request less at a time`;
      assert.throws(
        () => budget.take(bytes),
        (error) => error instanceof RpcError && error.code === -32005 && error.message === message,
      );
    };
    refused(first, 1, 'the connection', 50);
    refused(third, 11, 'the fork', 100);
    reserved.release();
    reserved.release();
    third.take(50);
    refused(connect(), 11, 'the fork', 100);
  });

  it('makes answers wait for each other, in order', async () => {
    const { connect } = ofFork();
    const [first, second] = [connect(100), connect(100)];
    const order: string[] = [];
    const reserve = async (
      budget: ByteBudget,
      bytes: number,
      name: string,
    ): Promise<ReservedBytes> => {
      const reserved = await budget.reserve(bytes);
      order.push(name);
      return reserved;
    };
    const one = await reserve(first, 60, 'one');
    const two = reserve(second, 60, 'two');
    const three = reserve(first, 10, 'three');
    await Promise.resolve();
    assert.deepEqual(order, ['one']);
    one.release();
    (await two).release();
    (await three).release();
    assert.deepEqual(order, ['one', 'two', 'three']);
  });

  it('accepts requests while answers fill it', async () => {
    const { connect } = ofFork();
    const large = await connect(1_000).reserve(10);
    large.resize(500);
    const other = connect();
    other.take(50);
    let begun = false;
    const answer = other.reserve(1).then((reserved) => {
      begun = true;
      return reserved;
    });
    await Promise.resolve();
    assert.equal(begun, false);
    large.release();
    (await answer).release();
  });

  it('admits an answer that is larger than the limit alone', async () => {
    const { connect } = ofFork();
    const budget = connect();
    const large = await budget.reserve(10_000);
    let begun = false;
    const next = budget.reserve(1).then((reserved) => {
      begun = true;
      return reserved;
    });
    large.resize(20_000);
    await Promise.resolve();
    assert.equal(begun, false);
    large.release();
    (await next).release();
    budget.take(50).release();
  });
});
