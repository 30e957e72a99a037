import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { ApiError } from '../api/errors';
import type { LocatedFork } from '../forks/ports';
import { answerFailure, closeWithFailure, refuseElsewhere, refuseSocket } from './failures';
import { findNode, type FindNodeOptions, type Place } from './find-node';
import { chainIdIn, needOf, type Need } from './fork-of-request';
import type { NodeConnections, Target } from './node-connections';
import { senderOf } from './node-headers';
import { passRequest } from './pass-request';
import { passSocket } from './pass-socket';
import { RequestBody } from './request-body';

/** The forks of this node. */
export interface LocalForks {
  isHere(key: { forkId: string } | { secret: string }): boolean;
  adopt(fork: LocatedFork): void;
  forget(key: { forkId: string } | { secret: string }): void;
}

export interface NodeRouterOptions extends FindNodeOptions {
  secret: string;
  leaseSeconds: number;
  forks: LocalForks;
  connections: NodeConnections;
  /** This node, for requests whose body is read already. */
  self: () => Target;
  isDraining: () => boolean;
  /** Receives errors that only the log may show. */
  onInternal: (error: unknown) => void;
  /** Whether a request has the same effect if it is executed twice. @param body undefined: it is too long to be known */
  isRepeatable: (request: IncomingMessage, body: Buffer | undefined) => boolean;
  /** Serves a command of another node. */
  command: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
}

/** Serves a request. @param passOn is called with its body instead, if its fork runs elsewhere and nothing was done */
type Serve = (passOn?: (body: string) => void) => void;

interface Routed {
  request: IncomingMessage;
  response: ServerResponse;
  serve: () => void;
}

/** Pauses between attempts while a fork moves, in milliseconds. */
const PAUSE_MS = 100;
/** How long a request waits for a node beyond the duration of a lease, in milliseconds. */
const EXTRA_MS = 2_000;
/** How long a node is asked for a fork again without the database, in milliseconds, and for how many forks. */
export const ANSWERED_MS = 1_000;
const MAX_ANSWERED = 10_000;
/** Paths of commands between nodes. */
const COMMANDS = '/internal/';

/**
 * Decides for each request which node serves it: the one that runs the fork. A request is passed on once at most: a node that gets one
 * from another serves it or refuses it, and the first node tries again. While a node that died still has the lease of a fork, the fork's
 * requests wait.
 */
export class NodeRouter {
  /** Nodes that answered for a fork within the last second. To ask the database would cost more than most requests. */
  readonly #answered = new LRUCache<string, string>({ max: MAX_ANSWERED, ttl: ANSWERED_MS });

  constructor(private readonly options: NodeRouterOptions) {}

  isFromNode(request: IncomingMessage): boolean {
    return this.#senderOf(request) !== 'client';
  }

  /** @param serve serves the request on this node, or hands it back if the fork is elsewhere by now and nothing was done */
  handle(request: IncomingMessage, response: ServerResponse, serve: Serve): void {
    const { command } = this.options;
    const sender = this.#senderOf(request);
    if (sender === 'elsewhere') refuseElsewhere(response);
    else if (sender === 'node' && request.url?.startsWith(COMMANDS)) {
      command(request, response).catch((error: unknown) => {
        this.#fail(request, response, error);
      });
    } else {
      const need = needOf(request);
      const serveHere = (): void => {
        if (need === undefined) {
          serve();
          return;
        }
        serve((body) => {
          if (sender === 'node') refuseElsewhere(response);
          else void this.#route(need, { ...routed, body: RequestBody.ofText(request, body) });
        });
      };
      const routed = { request, response, serve: serveHere };
      if (need === undefined || this.#isHere(need)) serveHere();
      else if (sender === 'client') void this.#route(need, routed);
      else {
        this.#take(need, response, serveHere).catch((error: unknown) => {
          this.#fail(request, response, error);
        });
      }
    }
  }

  #fail(request: IncomingMessage, response: ServerResponse, error: unknown, body?: Buffer): void {
    if (!(error instanceof ApiError)) this.options.onInternal(error);
    answerFailure(request, response, error, body);
  }

  /** @param serve serves the WebSocket on this node */
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer, serve: () => void): void {
    const sender = this.#senderOf(request);
    const need = needOf(request);
    if (sender === 'elsewhere') refuseSocket(socket);
    else if (need === undefined || this.#isHere(need)) serve();
    else {
      const served =
        sender === 'node'
          ? this.#takeSocket(need, socket, serve)
          : this.#routeSocket(need, request, socket, head, serve);
      served.catch((error: unknown) => {
        closeWithFailure(socket, error);
      });
    }
  }

  #senderOf(request: IncomingMessage): ReturnType<typeof senderOf> {
    const { secret, nodeId } = this.options;
    return senderOf(request, secret, nodeId);
  }

  #isHere(need: Need): boolean {
    return need !== 'room' && this.options.forks.isHere(need);
  }

  /** Serves a request that another node has passed on, or refuses it if the fork is elsewhere. */
  async #take(need: Need, response: ServerResponse, serve: () => void): Promise<void> {
    if (await this.#canTake(need)) serve();
    else refuseElsewhere(response);
  }

  async #takeSocket(need: Need, socket: Duplex, serve: () => void): Promise<void> {
    if (await this.#canTake(need)) serve();
    else refuseSocket(socket);
  }

  async #canTake(need: Need): Promise<boolean> {
    const { nodeId, find, isDraining } = this.options;
    if (need === 'room') return !isDraining();
    const fork = await find(need);
    if (fork?.owner === undefined && isDraining()) return false;
    if (fork?.owner !== undefined && fork.owner !== nodeId) return false;
    this.#adopt(need, fork);
    return true;
  }

  /** Never rejects. @param body of the request, if it was read */
  async #route(
    need: Need,
    { request, response, serve, body }: { body?: RequestBody } & Routed,
  ): Promise<void> {
    try {
      // The chain of a new fork matters only where there is a choice.
      if (need === 'room' && this.options.registry.candidates(new Set()).length > 1) {
        body ??= await RequestBody.of(request);
      }
      const isGone = (): boolean => response.destroyed;
      for await (const { place, refused } of this.#attempts(need, isGone, chainIdIn(body?.bytes))) {
        if (place.kind === 'here' && !body) {
          this.#adopt(need, place.fork);
          serve();
          return;
        }
        body ??= await RequestBody.of(request);
        const target = place.kind === 'here' ? this.options.self() : place.target;
        if (await this.#pass(target, { request, response, body })) {
          if (place.kind === 'there') this.#remember(need, target);
          return;
        }
        refused(target.nodeId);
      }
    } catch (error) {
      this.#fail(request, response, error, body?.bytes);
    }
  }

  /** @returns whether the request is answered @throws ApiError if it must not be sent again */
  async #pass(
    target: Target,
    parts: { request: IncomingMessage; response: ServerResponse; body: RequestBody },
  ): Promise<boolean> {
    const { connections, isRepeatable } = this.options;
    const outcome = await passRequest(connections, target, parts);
    if (outcome === 'answered') return true;
    if (outcome === 'lost' && !isRepeatable(parts.request, parts.body.bytes)) {
      throw new ApiError(
        'engineUnavailable',
        'the node that runs the fork ended before it answered; check whether the change was made, then try again',
      );
    }
    if (!parts.body.isAvailable) throw forkMoves(1);
    return false;
  }

  async #routeSocket(
    need: Need,
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    serve: () => void,
  ): Promise<void> {
    // Without a listener, an error of the socket would end the process.
    const ignore = (): void => undefined;
    socket.on('error', ignore);
    for await (const { place, refused } of this.#attempts(need, () => socket.destroyed)) {
      if (place.kind === 'here') {
        this.#adopt(need, place.fork);
        socket.off('error', ignore);
        serve();
        return;
      }
      const { connections } = this.options;
      const outcome = await passSocket(connections, place.target, { request, socket, head });
      if (outcome === 'answered') return;
      refused(place.target.nodeId);
    }
  }

  /** Places for a request, until its time is over. @throws ApiError forkElsewhere then */
  async *#attempts(
    need: Need,
    isGone: () => boolean,
    chainId?: number,
  ): AsyncGenerator<{ place: Exclude<Place, { kind: 'nobody' }>; refused: (id: string) => void }> {
    const end = performance.now() + this.options.leaseSeconds * 1000 + EXTRA_MS;
    const refusing = new Set<string>();
    const target = this.#remembered(need);
    if (target) {
      const refused = (): void => void this.#answered.delete(keyOf(need));
      yield { place: { kind: 'there', target }, refused };
    }
    while (!isGone()) {
      const place = await findNode(this.options, need, refusing, chainId);
      if (place.kind !== 'nobody') {
        yield {
          place,
          refused: (nodeId) => {
            // A node that refused before may take the fork by now.
            refusing.clear();
            refusing.add(nodeId);
          },
        };
      }
      if (performance.now() > end) throw forkMoves(place.kind === 'nobody' ? place.freeIn : 1);
      await delay(PAUSE_MS);
    }
  }

  /** The node that answered for the fork last. If it does not answer again, the database tells. */
  #remembered(need: Need): Target | undefined {
    const nodeId = this.#answered.get(keyOf(need));
    const url = nodeId === undefined ? undefined : this.options.registry.urlOf(nodeId);
    return nodeId === undefined || url === undefined ? undefined : { nodeId, url };
  }

  #remember(need: Need, { nodeId }: Target): void {
    const key = keyOf(need);
    if (need !== 'room' && !this.#answered.has(key)) this.#answered.set(key, nodeId);
  }

  #adopt(need: Need, fork: LocatedFork | undefined): void {
    const { forks } = this.options;
    if (fork) forks.adopt(fork);
    // Another node has deleted the fork, or given it another address.
    else if (need !== 'room') forks.forget(need);
  }
}

const keyOf = (need: Need): string =>
  need === 'room' ? need : 'forkId' in need ? need.forkId : need.secret;

/** @param seconds until the fork can be taken over */
function forkMoves(seconds: number): ApiError {
  const retryAfter = Math.max(1, Math.ceil(seconds));
  return new ApiError(
    'forkElsewhere',
    `the node that runs the fork does not answer; try again in ${retryAfter} s`,
    { retryAfter },
  );
}
