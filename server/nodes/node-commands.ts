import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import * as z from 'zod';
import { envelopeSchema, failure, success } from '../api/envelope';
import { ApiError, errorOfCode, shown } from '../api/errors';
import type { Fork } from '../api/fork';
import { forkIdSchema, hashSchema, projectIdSchema } from '../api/primitives';
import type { SimulateBody } from '../api/simulate';
import { exactly, parseFields } from '../api/validation';
import { readBody } from '../streams/read-body';
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
  const answer = await run(commands, name, await readBody(request, MAX_INPUT_BYTES)).then(
    success,
    (error: unknown) => {
      if (error instanceof ApiError) return failure(error.code, error.message);
      throw error;
    },
  );
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
  const text = JSON.stringify(input);
  const headers = [
    ...['host', new URL(target.url).host, 'content-type', 'application/json'],
    ...['content-length', String(Buffer.byteLength(text))],
  ];
  const path = `/internal/${name}`;
  const request = connections.open(target, { method: 'POST', path, headers });
  const timer = setTimeout(() => request.destroy(new Error('no answer in time')), timeoutMs);
  try {
    request.end(text);
    const [answer] = (await once(request, 'response')) as [IncomingMessage];
    const envelope = answerSchema.parse(JSON.parse(await readBody(answer, MAX_ANSWER_BYTES)));
    if (envelope.code !== 0) throw errorOfCode(envelope.code, envelope.message);
    return envelope.data as Results[Key];
  } finally {
    clearTimeout(timer);
  }
}
