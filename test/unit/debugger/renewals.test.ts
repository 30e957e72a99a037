import assert from 'node:assert/strict';
import type { DebuggedTransaction } from '../../../server/debugger/session/debugged-transaction';
import type { ProgramSource } from '../../../server/contracts/sources/program-source';
import { HASH, recordingsOf } from './recordable-chain';

/** A source whose contract's name is what is known of it. */
class Known implements ProgramSource {
  name = '';
  /** Undefined: a compiler works on it. */
  identity: string | undefined = '';
  failure: Promise<never> | undefined;
  looked = 0;

  programOf = () => Promise.resolve(undefined);
  unmappedOf = () => {
    this.looked++;
    return Promise.resolve(
      this.name === ''
        ? undefined
        : ({
            contractName: this.name,
            language: '',
            compilerVersion: '',
            origin: 'sourcify',
            files: [],
          } as const),
    );
  };
  identityOf = () => this.failure ?? Promise.resolve(this.identity);
}

const nameIn = (debugged: DebuggedTransaction): string => debugged.nameOf(debugged.codes.codes[0]!);

describe('a recording that is kept', () => {
  it('has the sources that became known since, without another execution', async () => {
    const programs = new Known();
    const { open, located } = recordingsOf({ programs });
    const before = await open();
    assert.equal(nameIn(before), '');
    assert.equal(await open(), before);
    Object.assign(programs, { name: 'Till', identity: 'verified' });
    const after = await open();
    assert.equal(nameIn(after), 'Till');
    assert.equal(after.recording, before.recording);
    assert.notEqual(after.revision, before.revision);
    assert.equal(await open(), after);
    assert.deepEqual([located.length, programs.looked], [1, 2]);
  });

  it('has them also where its block is asked for, and what was read of the state', async () => {
    const programs = new Known();
    const { open, chain, located } = recordingsOf({ programs });
    const before = await open();
    const block = chain.blocks.get(HASH)!;
    Object.assign(programs, { name: 'Till', identity: 'verified' });
    const after = await open(HASH, { block });
    assert.equal(nameIn(after), 'Till');
    assert.equal(after.untouched, before.untouched);
    assert.equal(await open(), after);
    assert.equal(located.length, 1);
  });

  it('stays while a compiler works, and changes when it has finished', async () => {
    const programs = new Known();
    Object.assign(programs, { name: 'Till', identity: undefined });
    const { open } = recordingsOf({ programs });
    const before = await open();
    assert.equal(await open(), before);
    programs.identity = 'compiled';
    const after = await open();
    assert.notEqual(after, before);
    assert.equal(await open(), after);
  });

  it('is made once for requests at the same time', async () => {
    const programs = new Known();
    const { open } = recordingsOf({ programs });
    await open();
    Object.assign(programs, { name: 'Till', identity: 'verified' });
    const [one, ...others] = await Promise.all([open(), open(), open()]);
    for (const other of others) assert.equal(other, one);
    assert.equal(programs.looked, 2);
  });

  it('is given as it is where sources cannot be looked up, or not soon', async () => {
    const programs = new Known();
    const { open } = recordingsOf({ programs });
    const before = await open();
    programs.failure = Promise.reject(new Error('no disk'));
    assert.equal(await open(), before);
    programs.failure = new Promise(() => undefined);
    assert.equal(await open(), before);
  });
});
