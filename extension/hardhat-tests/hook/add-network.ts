import { NETWORK } from '../hook-order';

interface Context {
  readonly configExtenders: ((config: { networks: Record<string, object> }) => void)[];
}
interface ContextModule {
  readonly HardhatContext: { createHardhatContext: () => Context };
}

/** Adds a network to the configuration of Hardhat 2, which has no option for one. */
export function addNetwork(hardhat: NodeJS.Require, url: string): void {
  const { HardhatContext } = hardhat('hardhat/internal/context') as ContextModule;
  const create = HardhatContext.createHardhatContext.bind(HardhatContext);
  HardhatContext.createHardhatContext = () => {
    const context = create();
    context.configExtenders.push(({ networks }) => {
      networks[NETWORK] = {
        url,
        accounts: 'remote',
        gas: 'auto',
        gasPrice: 'auto',
        gasMultiplier: 1,
        httpHeaders: {},
        timeout: 120_000,
      };
    });
    return context;
  };
}
