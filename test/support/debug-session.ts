import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { DebugClient } from '@vscode/debugadapter-testsupport';
import type { DebugProtocol } from '@vscode/debugprotocol';
import { TransactionDebugger } from '../../extension/debugger/adapter/transaction-debugger';
import { ServiceClient } from '../../extension/service/service-client';
import type { Builds } from '../../extension/debugger/adapter/source-watch';
import type { Locate } from '../../extension/debugger/adapter/sources';
import type { RunningService } from './service';

/** A client of the protocol's test kit, connected to a debugger over a real service. */
export class DebugSession extends DebugClient {
  readonly #server: Server;

  private constructor(server: Server) {
    super('node', '', 'forklens');
    this.#server = server;
  }

  static async open(
    { url, key }: Pick<RunningService, 'url' | 'key'>,
    options: { locate?: Locate; builds?: Builds; kept?: unknown } = {},
  ): Promise<DebugSession> {
    const access = { baseUrl: url, accessKey: key };
    const client = new ServiceClient({
      access: () => Promise.resolve(access),
      renew: () => Promise.resolve(undefined),
      checkService: () => Promise.resolve(),
    });
    const server = createServer((socket) => {
      const debug = new TransactionDebugger({ client, ...options });
      debug.setRunAsServer(true); // the end of a session is not that of the process
      debug.start(socket, socket);
      socket.on('close', () => {
        debug.dispose();
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const session = new DebugSession(server);
    await session.start((server.address() as AddressInfo).port);
    return session;
  }

  /** Launches, sets what `configure` sets, and waits for the first stop. */
  async begin(
    launch: object,
    configure: () => Promise<unknown> = () => Promise.resolve(),
    initialize: Partial<DebugProtocol.InitializeRequestArguments> = {},
  ): Promise<DebugProtocol.StoppedEvent> {
    const stopped = this.nextStop();
    const initialized = this.waitForEvent('initialized');
    await this.initializeRequest({
      adapterID: 'forklens',
      pathFormat: 'path',
      linesStartAt1: true,
      columnsStartAt1: true,
      ...initialize,
    });
    const launched = this.launchRequest(launch);
    await Promise.race([initialized, launched]);
    await configure();
    await this.configurationDoneRequest();
    await launched;
    return stopped;
  }

  /** Sends a request that the kit has no method for. @returns the body of the answer */
  async ask<Answer extends DebugProtocol.Response>(
    command: string,
    args: object = {},
  ): Promise<NonNullable<Answer['body']>> {
    const answer = (await this.send(command, args)) as Answer;
    return answer.body as NonNullable<Answer['body']>;
  }

  nextStop(): Promise<DebugProtocol.StoppedEvent> {
    return this.waitForEvent('stopped') as Promise<DebugProtocol.StoppedEvent>;
  }

  /** Sends a request that moves the debugger, and waits for its stop. */
  async move(command: string, args: object = {}): Promise<DebugProtocol.StoppedEvent['body']> {
    const stopped = this.nextStop();
    await this.send(command, { threadId: 1, ...args });
    return (await stopped).body;
  }

  /** `Contract.function:line` of the frames, without arguments, innermost first. */
  async stack(): Promise<string[]> {
    const { body } = await this.stackTraceRequest({ threadId: 1 });
    return body.stackFrames.map(({ name, line }) => `${name.replace(/\(.*\)/, '')}:${line}`);
  }

  async close(): Promise<void> {
    await this.disconnectRequest().catch(() => undefined);
    await this.stop().catch(() => undefined);
    this.#server.close();
  }
}
