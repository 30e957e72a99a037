import { Worker } from 'node:worker_threads';
import type {
  Failure,
  PartId,
  PartMessage,
  PartRequest,
  Source,
} from '../../media/inspector/protocol/protocol';
import type { Access, AccessProvider } from '../model/access';
import { failureOf } from './analysis-session';
import type { AccessQuestion, FromWorker, ToWorker } from './worker-messages';

/** Connection to one analysis in the worker. */
export interface AnalysisChannel {
  send(request: PartRequest): void;
  close(): void;
}

interface Session {
  source: Source;
  receive: (message: PartMessage) => void;
  /** Parts that were requested and have neither arrived nor failed. */
  awaited: Set<PartId>;
}

/** Runs the analyses of all inspectors in one worker thread, which lives while any inspector is open. */
export class AnalysisWorker {
  readonly #sessions = new Map<number, Session>();
  #last = 0;
  #worker: Worker | undefined;

  /** @param file path of the bundled worker */
  constructor(
    private readonly file: string,
    private readonly provider: AccessProvider,
  ) {}

  open(source: Source, receive: (message: PartMessage) => void): AnalysisChannel {
    const session = ++this.#last;
    this.#sessions.set(session, { source, receive, awaited: new Set() });
    this.#worker?.postMessage({ type: 'open', session, source } satisfies ToWorker);
    return {
      send: (request) => {
        const awaited = this.#sessions.get(session)?.awaited;
        if (request.type === 'load' || request.type === 'reload') awaited?.add(request.part);
        const worker = this.#worker ?? this.#start();
        worker.postMessage({ type: 'request', session, request } satisfies ToWorker);
      },
      close: () => {
        if (!this.#sessions.delete(session)) return;
        this.#worker?.postMessage({ type: 'close', session } satisfies ToWorker);
        if (this.#sessions.size === 0) this.#end();
      },
    };
  }

  dispose(): void {
    this.#sessions.clear();
    this.#end();
  }

  #end(): void {
    void this.#worker?.terminate();
    this.#worker = undefined;
  }

  #start(): Worker {
    const worker = new Worker(this.file);
    this.#worker = worker;
    worker.on('message', (message: FromWorker) => {
      if (message.type === 'ask') void this.#answer(worker, message.id, message.question);
      else this.#receive(message.session, message.message);
    });
    worker.on('error', (error) => {
      if (this.#worker === worker) this.#fail(failureOf(error));
    });
    // Sessions opened before this worker started, or while a previous worker ran.
    for (const [session, { source }] of this.#sessions) {
      worker.postMessage({ type: 'open', session, source } satisfies ToWorker);
    }
    return worker;
  }

  #receive(id: number, message: PartMessage): void {
    const session = this.#sessions.get(id);
    if (message.type === 'head' || message.type === 'failed') session?.awaited.delete(message.part);
    session?.receive(message);
  }

  /** The worker most likely ran out of memory: the requested parts will not arrive. */
  #fail(failure: Failure): void {
    this.#worker = undefined;
    for (const { awaited, receive } of this.#sessions.values()) {
      for (const part of awaited) receive({ type: 'failed', part, failure });
      awaited.clear();
    }
  }

  async #answer(worker: Worker, id: number, question: AccessQuestion): Promise<void> {
    const post = (answer: { access?: Access | undefined; failure?: Failure }): void => {
      worker.postMessage({ type: 'answer', id, ...answer } satisfies ToWorker);
    };
    try {
      switch (question.method) {
        case 'access':
          post({ access: await this.provider.access() });
          return;
        case 'renew':
          post({ access: await this.provider.renew(question.refused) });
          return;
        case 'checkService':
          await this.provider.checkService();
          post({});
      }
    } catch (error) {
      post({ failure: failureOf(error) });
    }
  }
}
