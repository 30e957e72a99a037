import path from 'node:path';
import type { DebugProtocol } from '@vscode/debugprotocol';
import { id } from 'ethers';
import { DebugSession } from '../support/debug-session';
import { sandboxHash } from '../support/sandbox-hashes';
import { writeHardhatBuild } from '../support/hardhat-build';
import { makeTemporaryDirectory, removeDirectory } from '../support/temporary-directory';
import { startService, type RunningService } from '../support/service';
import { sandboxService } from '../support/shared/sandbox-service';

/** The sandbox's reentrancy, in one file. */
export const EXPLOIT = { chain: 'sandbox', hash: sandboxHash('exploit-reentrancy') };
export const VAULT_FILE = 'EtherVault.sol';
export const VAULT = '0xc3e53f4d16ae77db1c982e75a937b9f60fe63690';
export const THIEF = '0xbded0d2bf404bdcba897a74e6657f1f12e5c6fb6';

export interface DebuggerSuite {
  service: RunningService;
  /** The session of the running test. */
  debug: DebugSession;
  /** Ends the session, and opens another one. */
  reopen(...options: SessionOptions): Promise<DebugSession>;
  /** The source of the frame in which the debugger is. */
  topSource(): Promise<DebugProtocol.Source>;
  setLines(...breakpoints: DebugProtocol.SourceBreakpoint[]): Promise<DebugProtocol.Breakpoint[]>;
  line(): Promise<number>;
}
type SessionOptions = [options?: Parameters<typeof DebugSession.open>[1]];

/** A service for the calling suite, of its own where it has a config, and a debug session for each of its tests. */
export function useDebugger(config?: object): DebuggerSuite {
  const suite = {
    async reopen(...options: SessionOptions) {
      await suite.debug.close();
      suite.debug = await DebugSession.open(suite.service, ...options);
      return suite.debug;
    },
    async topSource() {
      const { body } = await suite.debug.stackTraceRequest({ threadId: 1, levels: 1 });
      return body.stackFrames[0]!.source!;
    },
    async setLines(...breakpoints) {
      const source = await suite.topSource();
      const { body } = await suite.debug.setBreakpointsRequest({ source, breakpoints });
      return body.breakpoints;
    },
    async line() {
      const { body } = await suite.debug.stackTraceRequest({ threadId: 1, levels: 1 });
      return body.stackFrames[0]!.line;
    },
  } as DebuggerSuite;
  let end: () => Promise<unknown>;
  before(async function () {
    this.timeout(60_000);
    if (config) {
      const service = await startService({ args: ['--sandbox'], config });
      [suite.service, end] = [service, service.stop];
    } else {
      const service = await sandboxService();
      [suite.service, end] = [service, service.release];
    }
  });
  after(() => end());
  beforeEach(async () => {
    suite.debug = await DebugSession.open(suite.service);
  });
  afterEach(async () => {
    await suite.debug.close();
  });
  return suite;
}

/**
 * A contract of the workspace for the calling suite, in place of the vault. Each test's session begins in its function `run()`.
 * @param settings of the compiler
 */
export function useWorkspaceContract(
  suite: DebuggerSuite,
  name: string,
  source: string,
  settings?: object,
  /** Storage of the vault, besides its own. */
  stateDiff: Readonly<Record<string, string>> = {},
): void {
  let folder: string;
  let code: string;
  before(async function () {
    this.timeout(60_000); // the compiler is slow
    folder = await makeTemporaryDirectory();
    const options = settings && { settings };
    const codes = await writeHardhatBuild(folder, `contracts/${name}.sol`, source, options);
    code = codes.get(name)!;
    const folders = [path.join(folder, 'artifacts')];
    await suite.service.request('PUT', '/v1/artifact-folders', { body: { folders } });
  });
  after(() => removeDirectory(folder));
  beforeEach(async function () {
    this.timeout(60_000);
    const data = id('run()').slice(0, 10);
    const stateOverrides = { [VAULT]: { code, stateDiff } };
    await suite.debug.begin({
      chain: 'sandbox',
      simulate: { from: THIEF, to: VAULT, data, stateOverrides },
    });
  });
}
