import { emptyLock, type Lock } from '../../chains/lock/lock';
import type { LockSession } from '../../chains/lock/lock-session';
import { counted } from '../../client/format';
import type { Context, Handlers } from '../command-handlers/context';
import { LOCKFILE, type LOCK_COMMANDS } from '../command-specs/lock-commands';
import { UsageError } from '../errors/usage-error';
import { contentsOf } from './lock-contents';
import { loadLock, saveLock } from './lock-files';
import { missingReads, reportMissing } from './missing-reads';
import { runWithLock } from './run-with-lock';
import type { ProgramEnd } from './served-program';

/** Recording of what programs read of chains, and its use in place of the chains. */
export const lockCommands: Handlers<keyof typeof LOCK_COMMANDS> = {
  'lock record': async ({ program, output: file, rpc }, context) => {
    const { session, end } = await runWithLock({ program, rpc, file, base: emptyLock() }, context);
    if (session.used === 0) {
      if (end.code === 0) throw nothingRead();
      context.out.note('The program failed and read nothing of a chain. No lockfile is written.');
      return;
    }
    if (end.code !== 0) {
      context.out.note(`The program ended with exit code ${end.code}. What it read is recorded.`);
    }
    await save(session.result(false), { file, session, end }, context);
  },

  'lock run': async ({ program, lock: file, frozen, rpc }, context) => {
    const base = await loadLock(file);
    const run = { program, rpc, file, base, isFrozen: frozen };
    const { session, end } = await runWithLock(run, context);
    const missing = missingReads(session.missing, end.tests);
    // A program may hide that a read failed.
    process.exitCode = end.code === 0 && missing.length > 0 ? 1 : end.code;
    const { out } = context;
    if (out.isJson) {
      const { added: fetched, used: read } = session;
      out.result({ exitCode: process.exitCode, read, fetched, missing }, '');
    }
    reportMissing(file, missing, out);
    if (session.added > 0) {
      out.note(
        `${file} lacks ${session.added} of the reads; forklens lock update adds what is missing.`,
      );
    }
  },

  'lock update': async ({ program, lock: file, keep, latest, rpc }, context) => {
    const base = await loadLock(file);
    const run = { program, rpc, file, base, isLatest: latest };
    const { session, end } = await runWithLock(run, context);
    if (end.code !== 0) {
      context.out.note(`The program ended with exit code ${end.code}. Nothing is dropped.`);
    }
    const lock = session.result(keep || end.code !== 0);
    await save(lock, { file, session, end }, context);
  },

  'lock show': async ({ lockfile, lock }, { out }) => {
    if (lockfile !== undefined && lock !== undefined) {
      throw new UsageError(
        `<lockfile> "${lockfile}" and --lock "${lock}" are given; accepted: one`,
      );
    }
    const file = lockfile ?? lock ?? LOCKFILE;
    const { chains, rows } = contentsOf(await loadLock(file));
    const columns = ['CHAIN', 'BLOCK', 'READS', 'METHODS'];
    out.list(chains, { columns, rows }, { quiet: false, format: 'table' });
  },
};

const nothingRead = (): UsageError =>
  new UsageError(
    'the program read nothing of a chain, so that no lockfile is written; --rpc names the environment variable in which it finds its endpoint',
  );

async function save(
  lock: Lock,
  { file, session, end }: { file: string; session: LockSession; end: ProgramEnd },
  { out }: Context,
): Promise<void> {
  const bytes = await saveLock(file, lock);
  const { chains } = contentsOf(lock);
  const reads = chains.reduce((sum, chain) => sum + chain.reads, 0);
  const { added } = session;
  if (out.isJson) out.result({ exitCode: end.code, file, bytes, reads, added, chains }, '');
  const blocks = chains.reduce((sum, chain) => sum + chain.blocks.length, 0);
  out.note(
    `${file}: ${counted(reads, 'read')} (${added} new) at ${counted(blocks, 'block')} of ${counted(chains.length, 'chain')}, ${Math.ceil(bytes / 1000)} kB`,
  );
}
