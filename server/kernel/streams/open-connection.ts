import type { Duplex } from 'node:stream';

/** Opens a connection to one server, for example into the network of the engines. */
export type OpenConnection = () => Promise<Duplex>;
