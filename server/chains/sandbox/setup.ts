import { MaxUint256, parseEther, parseUnits } from 'ethers';
import { DEPLOYMENTS, type ContractKey } from './parts/deployments';
import type { SandboxDirectory } from './parts/directory';
import type { Step } from './parts/steps';

const DEPLOYMENT_GAS = 3_000_000;

const BY_STORY: readonly ContractKey[] = ['points', 'steadyFeed', 'dollarVault'];

/** Deploys all contracts except those that the story itself creates. */
export function deploymentSteps(directory: SandboxDirectory): Step[] {
  return (Object.keys(DEPLOYMENTS) as ContractKey[])
    .filter((key) => !BY_STORY.includes(key))
    .map((key) => ({
      from: DEPLOYMENTS[key].by,
      gasLimit: DEPLOYMENT_GAS,
      ...directory.creation(key),
    }));
}

const hbr = (amount: string) => parseUnits(amount, 18);
const husd = (amount: string) => parseUnits(amount, 6);

/** Distributes tokens, and fills pools, shelf and vault. */
export function fundingSteps(directory: SandboxDirectory): Step[] {
  const { address } = directory;
  const call = (key: ContractKey, method: string, args: unknown[] = []): Step => ({
    from: 'deployer',
    ...directory.call(key, method, args),
  });
  return [
    call('husd', 'issue', [address('deployer'), husd('5000000')]),
    { ...call('weth', 'deposit'), value: parseEther('200') },
    call('hbr', 'approve', [address('router'), MaxUint256]),
    call('husd', 'approve', [address('router'), MaxUint256]),
    call('weth', 'approve', [address('router'), MaxUint256]),
    call('router', 'addPool', [address('poolHbrHusd')]),
    call('router', 'addPool', [address('poolHusdWeth')]),
    call('router', 'addLiquidity', [
      address('hbr'),
      address('husd'),
      hbr('500000'),
      husd('1000000'),
    ]),
    call('router', 'addLiquidity', [address('husd'), address('weth'), husd('400000'), hbr('100')]),
    call('hbr', 'transfer', [address('poolSide'), hbr('100000')]),
    call('husd', 'transfer', [address('poolSide'), husd('210000')]),
    call('poolSide', 'mint', [address('deployer')]),
    call('husd', 'transfer', [address('lender'), husd('500000')]),
    call('husd', 'transfer', [address('payroll'), husd('10000')]),
    call('husd', 'transfer', [address('carol'), husd('25000')]),
    call('hbr', 'transfer', [address('alice'), hbr('10000')]),
    call('hbr', 'transfer', [address('bob'), hbr('5000')]),
    call('hbr', 'transfer', [address('carol'), hbr('2500')]),
    call('toll', 'transfer', [address('alice'), hbr('1000')]),
    call('shelf', 'fill', [7n, 2n]),
    { from: 'carol', ...directory.call('hbr', 'approve', [address('router'), MaxUint256]) },
    { from: 'alice', ...directory.call('vault', 'deposit'), value: parseEther('6') },
    { from: 'carol', ...directory.call('vault', 'deposit'), value: parseEther('4') },
  ];
}
