import { Front } from '../one-address';
import type { NodeName, Nodes } from '../nodes';
import type { Run, Runs } from '../outcomes';
import { ETHERS } from './ethers';
import { NETWORK_HELPERS } from './network-helpers';
import { OPENZEPPELIN } from './openzeppelin';
import type { ForeignSuite } from './suite';
import { VIEM } from './viem';
import { WEB3 } from './web3';
import { workplaceOf } from './checkout';

export const FOREIGN_SUITES: readonly ForeignSuite[] = [
  OPENZEPPELIN,
  NETWORK_HELPERS,
  ETHERS,
  VIEM,
  WEB3,
];

/** Runs a suite on bare anvil and on a fork, one after the other. */
export async function runForeign(suite: ForeignSuite, nodes: Nodes): Promise<Runs> {
  const folder = await workplaceOf(suite);
  const anvil = await runOn(suite, folder, nodes, 'anvil');
  return { anvil, fork: await runOn(suite, folder, nodes, 'fork') };
}

async function runOn(
  suite: ForeignSuite,
  folder: string,
  nodes: Nodes,
  name: NodeName,
): Promise<Run> {
  const front = await Front.open(nodes, name, { automine: suite.manual !== true });
  try {
    const started = performance.now();
    const outcomes = await suite.run(folder, front.url);
    return { outcomes, seconds: (performance.now() - started) / 1000 };
  } finally {
    await front.close();
  }
}
