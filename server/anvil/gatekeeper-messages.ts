/** Where engines reach the gateway: in a network of their own every port is free. */
export const GATEWAY_PORT = 8545;

/** From the service to the gatekeeper: open a connection to this port inside. */
export interface ConnectRequest {
  id: number;
  port: number;
}

/** From the gatekeeper to the service: the network works; the listening socket comes along. */
export interface NetworkReady {
  kind: 'ready';
}

/** Answers a `ConnectRequest`; without an error the socket comes along. */
export interface Connected {
  kind: 'connected';
  id: number;
  error?: string;
}

export type GatekeeperMessage = NetworkReady | Connected;
