import { RpcError } from '../../ethereum/json-rpc';
import { LIMITS } from '../../limits';
import type { EngineCall } from './call-results';
import type { PlannedBlock } from './plan';

/** Bounds what one simulation may cost, over all its passes. */
export class GasSpending {
  #used = 0n;

  /** @throws RpcError -38026 for calls that may use more gas together than one call may */
  require(planned: readonly PlannedBlock[]): void {
    const gas = planned.flatMap((block) => block.gas);
    const { simulatedCalls: maxCalls, gas: maxGas } = LIMITS;
    if (gas.length > maxCalls) {
      throw beyond(`the simulation has ${gas.length} calls; accepted: up to ${maxCalls}`);
    }
    const total = sum(gas);
    if (total <= BigInt(maxGas)) return;
    throw beyond(
      `the calls of the simulation have ${total} gas together; accepted: up to ${maxGas}; calls that name no gas share what they need`,
    );
  }

  /** Counts a pass. @throws RpcError -38026 where all passes together used too much */
  add(results: readonly (readonly EngineCall[])[]): void {
    this.#used += sum(results.flat().map(({ gasUsed }) => BigInt(gasUsed)));
    const { simulationWork } = LIMITS;
    if (this.#used <= BigInt(simulationWork)) return;
    throw beyond(
      `the blocks of the simulation depend on each other, and executing them again used more than ${simulationWork} gas; use less gas, or fewer calls`,
    );
  }
}

const beyond = (message: string): RpcError => new RpcError(-38026, message);

const sum = (amounts: readonly bigint[]): bigint =>
  amounts.reduce((total, amount) => total + amount, 0n);
