import { createCustomCommon, Hardfork, Mainnet } from '@ethereumjs/common';
import { EVMError, getActivePrecompiles, type EVMOpts } from '@ethereumjs/evm';
import type { Address } from '../../api/primitives';
import { hasUpgrade, type OpUpgrade } from '../../evm/families/op-stack/upgrades';

type CustomPrecompile = NonNullable<EVMOpts['customPrecompiles']>[number];
type Precompile = Extract<CustomPrecompile, { function: unknown }>['function'];
type Input = Parameters<Precompile>[0];
type Result = Awaited<ReturnType<Precompile>>;

const POINT_EVALUATION: Address = `0x${'0a'.padStart(40, '0')}`;
const PAIRING: Address = `0x${'08'.padStart(40, '0')}`;
const P256_VERIFY: Address = `0x${'100'.padStart(40, '0')}`;
/** RIP-7212. EIP-7951 doubled it. */
const P256_GAS = 3_450n;
/** Bytes (OP specs, Granite and Jovian). */
const PAIRING_INPUT = { granite: 112_687, jovian: 81_984 };

/** The execution needs something that this process cannot compute. */
class NotExecutable extends Error {
  override readonly name = 'NotExecutable';
}

/** Precompiled contracts whose rules differ from those of the virtual machine. @param upgrade of an OP Stack chain */
export function customPrecompiles(
  upgrade: OpUpgrade | undefined,
  isOsaka: boolean,
): CustomPrecompile[] {
  const custom: CustomPrecompile[] = [{ address: POINT_EVALUATION, function: pointEvaluation }];
  if (upgrade === undefined || !hasUpgrade(upgrade, 'fjord')) return custom;
  const common = createCustomCommon({ chainId: 1 }, Mainnet, { hardfork: Hardfork.Osaka });
  const active = getActivePrecompiles(common);
  const [p256, pairing] = [P256_VERIFY, PAIRING].map((address) => active.get(address.slice(2)));
  if (p256 && !isOsaka) custom.push({ address: P256_VERIFY, function: p256Of(p256) });
  if (pairing && hasUpgrade(upgrade, 'granite')) {
    const most = hasUpgrade(upgrade, 'jovian') ? PAIRING_INPUT.jovian : PAIRING_INPUT.granite;
    custom.push({
      address: PAIRING,
      function: (input) => (input.data.length > most ? outOfGas(input) : pairing(input)),
    });
  }
  return custom;
}

/** EIP-4844: needs the trusted setup of the ceremony, which is not part of this program. */
const pointEvaluation: Precompile = () => {
  throw new NotExecutable('a call of the point evaluation precompile (EIP-4844)');
};

const p256Of =
  (verify: Precompile): Precompile =>
  async (input) => {
    if (input.gasLimit < P256_GAS) return outOfGas(input);
    const result = await verify({ ...input, gasLimit: 2n * P256_GAS });
    return { ...result, executionGasUsed: P256_GAS };
  };

const outOfGas = ({ gasLimit }: Input): Result => ({
  returnValue: new Uint8Array(0),
  executionGasUsed: gasLimit,
  exceptionError: new EVMError(EVMError.errorMessages.OUT_OF_GAS),
});
