import type { RpcCall } from '../../evm/forms/json-rpc';

/** An error that every node gives to a call, such as a revert. */
export interface LockedError {
  code: number;
  message: string;
  data?: unknown;
}

/** The answer of a chain to one call. */
export interface LockedAnswer {
  call: RpcCall;
  outcome: { value: unknown } | { error: LockedError };
}

/** What was read of a chain. */
export interface LockedChain {
  /** The newest block when it was recorded: `latest` and all other tags of a moving head. */
  head: bigint;
  /** By `lockedText` of the call. */
  answers: Map<string, LockedAnswer>;
}

/** Where a program finds the URL of a chain: in an environment variable, or under a name in `rpc_endpoints` of foundry.toml. */
export interface EndpointName {
  kind: 'variable' | 'foundry';
  name: string;
}

/** What the programs of a project have read of chains. Holds no URL. */
export interface Lock {
  /** Chain ids by `keyOfEndpoint`. */
  endpoints: Map<string, number>;
  /** By chain id. */
  chains: Map<number, LockedChain>;
  /** Seed that forge got for its fuzz and invariant tests; undefined: none was given. */
  fuzzSeed?: string | undefined;
}

export const emptyLock = (): Lock => ({ endpoints: new Map(), chains: new Map() });

export const keyOfEndpoint = ({ kind, name }: EndpointName): string => `${kind} ${name}`;

export function endpointOfKey(key: string): EndpointName {
  const [kind = '', name = ''] = key.split(' ');
  return { kind: kind === 'foundry' ? 'foundry' : 'variable', name };
}
