import { isMissing, type Fields } from '../../evm/forms/fields';
import { RpcError } from '../../evm/forms/json-rpc';
import { LIMITS } from '../../api/limits';
import { RPC_CODES } from '../../api/rpc-codes';
import type { EngineCall } from './call-results';
import type { PlannedBlock } from './plan';

/** Limits the cost of one simulation, over all its passes. */
export class GasSpending {
  #used = 0n;

  /**
   * @param areShared whether a call without a gas limit gets the gas that earlier calls left
   * @throws RpcError -38026 if the calls may use more gas together than one call may
   */
  require(planned: readonly PlannedBlock[], areShared: boolean): void {
    const { simulatedCalls: maxCalls, gas: maxGas } = LIMITS;
    const count = planned.reduce((calls, { gas }) => calls + gas.length, 0);
    if (count > maxCalls) {
      throw beyond(`the simulation has ${count} calls; accepted: up to ${maxCalls}`);
    }
    const gasOf = (isWanted: (call: Fields | undefined) => boolean): bigint[] =>
      planned.flatMap(({ calls, gas }) => gas.filter((_, i) => isWanted(calls[i])));
    const unnamed = gasOf(({ gas } = {}) => isMissing(gas));
    const total =
      sum(gasOf(({ gas } = {}) => !isMissing(gas))) + (areShared ? largest(unnamed) : sum(unnamed));
    if (total <= BigInt(maxGas)) return;
    throw beyond(
      `the calls of the simulation have ${total} gas together; accepted: up to ${maxGas}; calls without a gas limit share the remaining gas`,
    );
  }

  /** Counts a pass. @throws RpcError -38026 if all passes together used too much gas */
  add(results: readonly (readonly EngineCall[])[]): void {
    this.#used += sum(results.flat().map(({ gasUsed }) => BigInt(gasUsed)));
    const { simulationWork } = LIMITS;
    if (this.#used <= BigInt(simulationWork)) return;
    throw beyond(
      `the blocks of the simulation depend on each other, and executing them again used more than ${simulationWork} gas; use less gas, or fewer calls`,
    );
  }
}

const beyond = (message: string): RpcError => new RpcError(RPC_CODES.simulationTooLarge, message);

const largest = (amounts: readonly bigint[]): bigint =>
  amounts.reduce((most, amount) => (amount > most ? amount : most), 0n);

const sum = (amounts: readonly bigint[]): bigint =>
  amounts.reduce((total, amount) => total + amount, 0n);
