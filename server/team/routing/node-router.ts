import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import { ApiError } from '../../api/errors';
import type { LocatedFork } from '../../forks/life/ports';
import { nameAnswer } from '../../kernel/requests/request-trace';
import {
  answerFailure,
  changeLost,
  closeWithFailure,
  refuseElsewhere,
  refuseSocket,
} from './failures';
import type { FindNodeOptions } from './find-node';
import { chainIdIn, needOf, type Need } from './fork-of-request';
import { forkMoves, NodeAttempts } from './node-attempts';
import type { NodeConnections, Target } from './node-connections';
import { senderOf, timeLeftOf } from './node-headers';
import { passRequest } from './pass-request';
import { openLink, PassedSockets } from './pass-socket';
import { RequestBody } from './request-body';
import { WaitingTime } from './waiting-time';

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
  isRepeatable: (
    request: Pick<IncomingMessage, 'method' | 'url'>,
    body: Buffer | undefined,
  ) => boolean;
  /** Serves a command of another node. */
  command: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
}

/** Serves a request. @param passOn is called with its body instead, if its fork runs elsewhere and nothing was done */
type Serve = (passOn?: (body: string) => void) => void;

interface Routed {
  request: IncomingMessage;
  response: ServerResponse;
  serve: () => void;
  /** One for all nodes that the request is given to. */
  time: WaitingTime;
}

/** Paths of commands between nodes. */
const COMMANDS = '/internal/';

/**
 * Decides for each request which node serves it: the one that runs the fork. A request is passed on once at most: a node that gets one
 * from another serves it or refuses it, and the first node tries again. While a node that died still has the lease of a fork, the fork's
 * requests wait.
 */
export class NodeRouter {
  readonly #attempts: NodeAttempts;
  readonly #sockets = new PassedSockets();
  #isClosed = false;

  constructor(private readonly options: NodeRouterOptions) {
    this.#attempts = new NodeAttempts(options);
  }

  isFromNode(request: IncomingMessage): boolean {
    return this.#senderOf(request) !== 'client';
  }

  /** @param serve serves the request on this node, or hands it back if the fork is elsewhere by now and nothing was done */
  handle(request: IncomingMessage, response: ServerResponse, serve: Serve): void {
    const { command } = this.options;
    const sender = this.#senderOf(request);
    if (sender === 'elsewhere') {
      nameAnswer(response);
      refuseElsewhere(response);
    } else if (sender === 'node' && request.url?.startsWith(COMMANDS)) {
      command(request, response).catch((error: unknown) => {
        this.#fail(request, response, error);
      });
    } else {
      const need = needOf(request);
      const time = sender === 'node' ? this.#timeLeft(request) : this.#time();
      const serveHere = (): void => {
        if (need === undefined) {
          serve();
          return;
        }
        const goOn = time.stop();
        serve((body) => {
          goOn();
          if (sender === 'node') {
            nameAnswer(response);
            refuseElsewhere(response);
          } else void this.#route(need, { ...routed, body: RequestBody.ofText(request, body) });
        });
      };
      const routed = { request, response, serve: serveHere, time };
      if (need === undefined || this.#isHere(need)) {
        serveHere();
        return;
      }
      if (sender === 'client') void this.#route(need, routed);
      else {
        nameAnswer(response);
        this.#take(need, response, time, serveHere).catch((error: unknown) => {
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

  #time(): WaitingTime {
    return WaitingTime.afterLease(this.options.leaseSeconds);
  }

  /** Of a request that another node has passed on. */
  #timeLeft(request: IncomingMessage): WaitingTime {
    const left = timeLeftOf(request);
    return left === undefined ? this.#time() : new WaitingTime(left);
  }

  #isHere(need: Need): boolean {
    return need !== 'room' && this.options.forks.isHere(need);
  }

  /** Serves a request that another node has passed on, or refuses it if the fork is elsewhere. */
  async #take(
    need: Need,
    response: ServerResponse,
    time: WaitingTime,
    serve: () => void,
  ): Promise<void> {
    if (await this.#canTake(need, time)) serve();
    else refuseElsewhere(response);
  }

  async #takeSocket(need: Need, socket: Duplex, serve: () => void): Promise<void> {
    if (await this.#canTake(need, this.#time())) serve();
    else refuseSocket(socket);
  }

  /** False as well if the database does not tell in time. */
  async #canTake(need: Need, time: WaitingTime): Promise<boolean> {
    const { nodeId, find, isDraining } = this.options;
    if (need === 'room') return !isDraining();
    const found = await time.within(find(need));
    if (!found) return false;
    const fork = found.value;
    if (fork?.owner === undefined && isDraining()) return false;
    if (fork?.owner !== undefined && fork.owner !== nodeId) return false;
    this.#adopt(need, fork);
    return true;
  }

  /** Never rejects. @param body of the request, if it was read */
  async #route(
    need: Need,
    { request, response, serve, time, body }: { body?: RequestBody } & Routed,
  ): Promise<void> {
    nameAnswer(response);
    try {
      // The chain of a new fork matters only where there is a choice.
      if (need === 'room' && this.options.registry.candidates(new Set()).length > 1) {
        body ??= await RequestBody.of(request);
      }
      const known = this.#attempts.remembered(need);
      if (known) {
        body ??= await RequestBody.of(request);
        if (await this.#pass(known, { request, response, body, time })) return;
        this.#attempts.forget(need);
      }
      const isGone = (): boolean => response.destroyed;
      const chainId = need === 'room' ? chainIdIn(body?.bytes) : undefined;
      const waiting = { need, time, isGone, chainId };
      for await (const { place, refused } of this.#attempts.of(waiting)) {
        if (place.kind === 'here' && !body) {
          this.#adopt(need, place.fork);
          serve();
          return;
        }
        body ??= await RequestBody.of(request);
        const target = place.kind === 'here' ? this.options.self() : place.target;
        if (await this.#pass(target, { request, response, body, time })) {
          if (place.kind === 'there') this.#attempts.remember(need, target);
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
    parts: {
      request: IncomingMessage;
      response: ServerResponse;
      body: RequestBody;
      time: WaitingTime;
    },
  ): Promise<boolean> {
    const { connections, isRepeatable, leaseSeconds } = this.options;
    const goOn = parts.time.stop();
    const outcome = await passRequest(connections, target, parts);
    if (outcome === 'answered') return true;
    const isLost = outcome === 'lost' || outcome === 'dead';
    // A node is found dead when its lease has expired: the request has waited for that.
    if (isLost) goOn(outcome === 'dead' ? leaseSeconds * 1000 : 0);
    if (isLost && !isRepeatable(parts.request, parts.body.bytes)) {
      throw changeLost();
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
    for await (const { place, refused } of this.#attempts.of({
      need,
      isGone: () => socket.destroyed,
      time: this.#time(),
    })) {
      if (place.kind === 'here') {
        this.#adopt(need, place.fork);
        socket.off('error', ignore);
        serve();
        return;
      }
      const opening = await openLink(this.options.connections, place.target, request);
      if (opening.kind === 'refused') {
        this.#sockets.refuse(socket, opening.head);
        return;
      }
      if (opening.kind === 'open') {
        socket.off('error', ignore);
        this.#sockets.pass({ request, socket, head }, opening.link, {
          connect: () => this.#reopen(need, request),
          isRepeatable: (text) =>
            this.options.isRepeatable({ method: 'POST', url: request.url }, Buffer.from(text)),
        });
        return;
      }
      refused(place.target.nodeId);
    }
  }

  /** Opens the WebSocket of a client again, after the node that ran the fork has gone. */
  async #reopen(need: Need, request: IncomingMessage): Promise<WebSocket> {
    const { connections, self } = this.options;
    this.#attempts.forget(need);
    for await (const { place, refused } of this.#attempts.of({
      need,
      isGone: () => this.#isClosed,
      time: this.#time(),
    })) {
      const target = place.kind === 'here' ? self() : place.target;
      const opening = await openLink(connections, target, request);
      if (opening.kind === 'open') return opening.link;
      if (opening.kind === 'refused') break;
      refused(target.nodeId);
    }
    throw forkMoves(1);
  }

  /** Closes the WebSockets that are passed on. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#sockets.close();
  }

  #adopt(need: Need, fork: LocatedFork | undefined): void {
    const { forks } = this.options;
    if (fork) forks.adopt(fork);
    // Another node has deleted the fork, or given it another address.
    else if (need !== 'room') forks.forget(need);
  }
}
