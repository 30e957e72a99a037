import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Dispatcher } from 'undici';
import * as z from 'zod';
import { envelopeSchema, failure, success } from '../../api/envelope';
import { ApiError, errorOfCode, shown } from '../../api/errors';
import type { Fork } from '../../api/fork';
import { forkIdSchema, hashSchema, projectIdSchema } from '../../api/primitives';
import type { SimulateBody } from '../../api/simulate';
import { exactly, parseFields } from '../../api/validation';
import { readBody } from '../../kernel/streams/read-body';
import type { NodeConnections, Target } from './node-connections';

/** What one node asks another, over `POST /internal/<command>`. Only nodes know the secret of these requests. */
const INPUTS = {
  /** Read the events of the other nodes now. */
  look: z.object({}),
  /** The forks of a project that you run. */
  views: z.object({ projectId: projectIdSchema }),
  /** Delete a fork that you run. */
  delete: z.object({ forkId: forkIdSchema }),
  /** Whether your cache has blocks of a chain. */
  caches: z.object({ chainId: z.number() }),
  /** The recorded simulation with this id, if you know it. */
  simulation: z.object({ id: hashSchema }),
} satisfies Record<string, z.ZodType>;

type Name = keyof typeof INPUTS;
interface Results {
  look: null;
  views: readonly Fork[];
  delete: null;
  caches: boolean;
  simulation: { chain: string; body: SimulateBody } | null;
}

/** What a node does at the request of another. */
export type NodeCommands = {
  [Key in Name]: (input: z.output<(typeof INPUTS)[Key]>) => Promise<Results[Key]>;
};

const MAX_INPUT_BYTES = 64 * 1024;
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

/** Answers a command of another node. @throws ApiError */
export async function answerCommand(
  commands: NodeCommands,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const name = (request.url ?? '').slice('/internal/'.length);
  if (!isName(name)) throw new ApiError('routeNotFound', `there is no command ${shown(name)}`);
  const answer = await run(
    commands,
    name,
    await readBody(request, { limit: MAX_INPUT_BYTES }),
  ).then(success, (error: unknown) => {
    if (error instanceof ApiError) return failure(error.code, error.message);
    throw error;
  });
  const text = JSON.stringify(answer);
  response.writeHead(200, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(text),
  });
  response.end(text);
}

const isName = (name: string): name is Name => Object.hasOwn(INPUTS, name);

async function run(commands: NodeCommands, name: Name, text: string): Promise<unknown> {
  const input = parseFields(exactly(INPUTS[name]), JSON.parse(text), 'input');
  return (commands[name] as (input: unknown) => Promise<unknown>)(input);
}

const answerSchema = envelopeSchema(z.unknown());

/**
 * Sends a command to another node.
 * @throws ApiError of the command; Error if the node does not answer in time
 */
export async function callNode<Key extends Name>(
  connections: NodeConnections,
  target: Target,
  name: Key,
  input: z.input<(typeof INPUTS)[Key]>,
  timeoutMs: number,
): Promise<Results[Key]> {
  const headers = ['host', new URL(target.url).host, 'content-type', 'application/json'];
  const request = {
    method: 'POST',
    path: `/internal/${name}`,
    headers,
    body: JSON.stringify(input),
  };
  const answer = await new Promise<string>((resolve, reject) => {
    connections.dispatch(target, request, new CommandAnswer(timeoutMs, resolve, reject));
  });
  const envelope = answerSchema.parse(JSON.parse(answer));
  if (envelope.code !== 0) throw errorOfCode(envelope.code, envelope.message);
  return envelope.data as Results[Key];
}

class CommandAnswer implements Dispatcher.DispatchHandler {
  readonly #pieces: Buffer[] = [];
  #length = 0;
  #controller: Dispatcher.DispatchController | undefined;
  #timedOut: Error | undefined;
  readonly #timer: NodeJS.Timeout;

  constructor(
    timeoutMs: number,
    private readonly resolve: (answer: string) => void,
    private readonly reject: (error: Error) => void,
  ) {
    this.#timer = setTimeout(() => {
      this.#timedOut = new Error('no answer in time');
      this.#controller?.abort(this.#timedOut);
      reject(this.#timedOut);
    }, timeoutMs);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // A command that waited for a connection is not executed after its time.
    if (this.#timedOut) controller.abort(this.#timedOut);
  }

  onResponseData(controller: Dispatcher.DispatchController, piece: Buffer): void {
    this.#length += piece.length;
    if (this.#length <= MAX_ANSWER_BYTES) this.#pieces.push(piece);
    else controller.abort(new Error(`the answer is longer than ${MAX_ANSWER_BYTES} bytes`));
  }

  onResponseEnd(): void {
    clearTimeout(this.#timer);
    this.resolve(Buffer.concat(this.#pieces).toString());
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    clearTimeout(this.#timer);
    this.reject(error);
  }
}
