import assert from 'node:assert/strict';
import type { Engine, EngineExit, StartEngine } from '../../../../server/evm/forms/engine';
import { WarmEngines } from '../../../../server/execution/engines/warm-engines';

const MAINNET = { chainId: 1, hardfork: 'prague' } as const;
const NEVER = new AbortController().signal;
const ENDED: EngineExit = { code: 0, signal: null, log: [] };

/** Engines that only record their starts and ends. */
function testEngines(): { start: StartEngine; started: string[]; running: Engine[] } {
  const started: string[] = [];
  const running: Engine[] = [];
  const start: StartEngine = ({ chainId, hardfork }) => {
    started.push(`${chainId} ${hardfork}`);
    let exit: (how: EngineExit) => void = () => undefined;
    const exited = new Promise<EngineExit>((resolve) => (exit = resolve));
    const engine = {
      pid: started.length,
      exited,
      stop: () => {
        running.splice(running.indexOf(engine), 1);
        exit(ENDED);
        return exited;
      },
    } as Engine;
    running.push(engine);
    return Promise.resolve(engine);
  };
  return { start, started, running };
}

const pidOf = ({ pid }: Engine): Promise<number> => Promise.resolve(pid);

describe('WarmEngines', () => {
  it('shares one engine of a kind, and keeps it for the next call', async () => {
    const { start, started, running } = testEngines();
    const engines = new WarmEngines(start);
    const both = [engines.lend(MAINNET, NEVER, pidOf), engines.lend(MAINNET, NEVER, pidOf)];
    assert.deepEqual(await Promise.all(both), [1, 1]);
    assert.equal(await engines.lend(MAINNET, NEVER, pidOf), 1);
    assert.equal(await engines.lend({ ...MAINNET, hardfork: 'london' }, NEVER, pidOf), 2);
    assert.deepEqual(started, ['1 prague', '1 london']);
    await engines.close();
    assert.deepEqual(running, []);
  });

  it('starts another engine if one has ended or did not start', async () => {
    const { start, started } = testEngines();
    const engines = new WarmEngines(start);
    await engines.lend(MAINNET, NEVER, (engine) => engine.stop());
    assert.equal(await engines.lend(MAINNET, NEVER, pidOf), 2);
    await engines.close();
    let isBroken = true;
    const repaired = new WarmEngines((parameters) =>
      isBroken ? Promise.reject(new Error('broken')) : start(parameters),
    );
    await assert.rejects(repaired.lend(MAINNET, NEVER, pidOf), { message: 'broken' });
    isBroken = false;
    assert.equal(await repaired.lend(MAINNET, NEVER, pidOf), 3);
    await repaired.close();
    assert.equal(started.length, 3);
  });

  it('ends an engine that is unused for a while', async () => {
    const { start } = testEngines();
    const engines = new WarmEngines(start, { idleMs: 5 });
    const exited = await engines.lend(MAINNET, NEVER, (engine) => Promise.resolve([engine.exited]));
    assert.deepEqual(await exited[0], ENDED);
  });

  it('rejects at once when the caller cancels', async () => {
    const engines = new WarmEngines(() => new Promise(() => undefined));
    const signal = AbortSignal.abort(new Error('given up'));
    await assert.rejects(engines.lend(MAINNET, signal, pidOf), { message: 'given up' });
  });
});
