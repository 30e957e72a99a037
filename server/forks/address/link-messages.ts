import type { FollowerState } from '../writes/fork-feed';

/*
 * A link is the WebSocket between the node that a client is connected to and the node that runs the fork. Text messages are those of the
 * client and the parts of those for it; binary messages are JSON between the nodes.
 */

/** First character of a part of a message for the client. */
export const LAST_PART = '.';
export const OTHER_PART = '+';

/** A subscription as the next node of the fork continues it. */
export interface Resumption {
  id: string;
  /** Of `eth_subscribe`. */
  params: readonly unknown[];
  state: FollowerState;
}

/** From the fork's node to the client's node. */
export type LinkReport =
  /** The message of the client with this number, from 1, needs no further answer. */
  | { done: number }
  /** A subscription began, or its position changed. */
  | { follows: Resumption }
  /** A subscription has ended. */
  | { ended: string };

/** From the client's node to the fork's node: it goes on with a subscription. */
export interface LinkRequest {
  resume: Resumption;
}

export const linkMessage = (message: LinkReport | LinkRequest): Buffer =>
  Buffer.from(JSON.stringify(message));
