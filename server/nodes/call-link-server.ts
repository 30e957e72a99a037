import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import { closeClients } from '../fork-rpc/close-clients';
import type { AnswerShort } from '../fork-rpc/short-reads';
import { runAs } from '../requests/request-trace';
import { FrameWriter, onFrames, type Framed } from './call-frames';
import type { CallFacts } from './call-link';

/** Longest frame, in bytes: as many calls as a node has under way, with the longest texts. */
const MAX_FRAME = 8 * 1024 * 1024;

/** Executes the calls of other nodes that come over WebSockets. */
export class CallLinkServer {
  readonly #server = new WebSocketServer({ noServer: true, maxPayload: MAX_FRAME });

  constructor(private readonly answer: AnswerShort) {}

  accept(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    this.#server.handleUpgrade(request, socket, head, (link) => {
      this.#serve(link);
    });
  }

  /** Resolves when all are closed. */
  close(): Promise<void> {
    return closeClients(this.#server);
  }

  #serve(link: WebSocket): void {
    const answers = new FrameWriter<number>(link);
    link.on('error', () => {
      link.terminate();
    });
    const serve = ([[number, secret, client, trace], text = '']: Framed<CallFacts>): void => {
      const call = { secret, text, client: client ?? undefined };
      const answer = runAs(trace ?? undefined, () => this.answer(call));
      if (typeof answer !== 'object') answers.add(number, answer);
      else {
        void answer.then((later) => {
          answers.add(number, later);
        });
      }
    };
    onFrames(link, serve);
  }
}
