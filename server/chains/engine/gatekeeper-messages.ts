/** Port of the gateway inside the engines' network, where every port is free. */
export const GATEWAY_PORT = 8545;

/** From the service to the gatekeeper: requests a connection to this port inside the network. */
export interface ConnectRequest {
  id: number;
  port: number;
}

/** From the gatekeeper to the service: the network is ready. The listening socket is attached. */
export interface NetworkReady {
  kind: 'ready';
}

/** Answers a `ConnectRequest`. Without an error, the socket is attached. */
export interface Connected {
  kind: 'connected';
  id: number;
  error?: string;
}

export type GatekeeperMessage = NetworkReady | Connected;
