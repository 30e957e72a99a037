import type { ZodError } from 'zod';
import {
  ENDPOINT_COMMANDS,
  type Endpoint,
  type EndpointCommand,
  type EndpointReport,
} from '../../api/endpoint';
import { ApiError, invalidField } from '../../api/errors';
import { fieldPath } from '../../api/validation';
import { checkEndpointAt } from '../upstream/check-endpoint';
import type { ChainRegistry } from './chain-registry';

/** The editor's operations on the endpoints of a running service. The service keeps URLs in memory only; the editor stores them. */
export class EndpointCommands {
  readonly #commands: Record<EndpointCommand, (input: never) => unknown> = {
    checkEndpoint: (address: Pick<Endpoint, 'url' | 'headers'>): Promise<EndpointReport> =>
      checkEndpointAt(address),
    addEndpoint: (endpoint: Endpoint): null => {
      if (endpoint.slug === this.builtIn) {
        throw invalidField('slug', endpoint.slug, 'another name: this is the built-in chain');
      }
      this.chains.addEndpoint(endpoint);
      return null;
    },
    removeEndpoint: ({ slug }: { slug: string }): null => {
      this.chains.removeEndpoint(slug);
      return null;
    },
  };

  /** @param builtIn slug of the sandbox, if the service runs it */
  constructor(
    private readonly chains: Pick<ChainRegistry, 'addEndpoint' | 'removeEndpoint'>,
    private readonly builtIn: string | undefined,
  ) {}

  /** @returns undefined for an unknown name */
  find(name: string): ((input: unknown) => Promise<unknown>) | undefined {
    if (!Object.hasOwn(ENDPOINT_COMMANDS, name)) return undefined;
    const command = name as EndpointCommand;
    return (input) =>
      new Promise((resolve) => {
        const fields = ENDPOINT_COMMANDS[command].input.safeParse(input);
        // The message does not contain the received value, which may be a URL with a key.
        if (!fields.success) throw refusalOf(fields.error);
        resolve(this.#commands[command](fields.data as never));
      });
  }
}

const refusalOf = ({ issues }: ZodError): ApiError =>
  new ApiError(
    'invalidField',
    issues
      .map(
        ({ path, message }) => `${fieldPath(path, 'input')} is not accepted; accepted: ${message}`,
      )
      .join('; '),
  );
