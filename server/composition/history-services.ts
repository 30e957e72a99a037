import { builtInInterfaces } from '../contracts/abi/built-in/signatures';
import type { AbiSource, LabelSource, TokenFactsSource } from '../analysis/ports';
import type { LayoutSource } from '../analysis/state/storage-layouts';
import type { AnalysisService } from '../analysis/views/analysis-service';
import type { NetworkDirectory } from '../chains/explorer/network-directory';
import type { RecordingService } from '../debugger/answers/recording-service';
import type { EngineAtPositionPorts } from '../execution/engines/engine-at-position';
import type { Executions } from '../execution/engines/executions';
import { Bisect } from '../history/bisect/bisect';
import { ExpressionSource } from '../history/bisect/expression-source';
import type { PaymentSources } from '../history/bisect/find-payments';
import { OtherBlocks } from '../history/reorder/reorder';
import { Regressions, type CodeReplays } from '../history/regress/regress';
import type { HistoryService } from '../http/history-handlers';
import type { SimulationNetworks } from '../analysis/simulation/simulation';
import type { HeldPlace } from '../history/held/held-block';
import { HeldNetworks } from '../history/held/held-networks';
import type { AddressSources } from '../contracts/sources/address-sources';
import { UpgradeChecks } from '../history/upgrades/upgrade-check';

/** Composes the operations that ask the past of a chain. */
export function createHistory(parts: {
  networks: NetworkDirectory;
  abis: AbiSource;
  layouts: LayoutSource;
  userLabels: LabelSource;
  engines: EngineAtPositionPorts;
  executions: Executions;
  recordings: RecordingService;
  analysis: AnalysisService;
  /** Sources of the code at addresses of networks. */
  sourcesOn: (networks: SimulationNetworks) => AddressSources;
  replays: CodeReplays;
  payments: PaymentSources;
  tokens: TokenFactsSource;
  /** The chain of a case file, which ends with the transaction of the case. */
  held: HeldPlace | undefined;
}): HistoryService {
  const { analysis, held } = parts;
  // The other block compares its state with the chain's, which a case does not have: executing the block again proves nothing.
  const ending = (hasEnd: boolean) =>
    held ? new HeldNetworks(parts.networks, held, parts, hasEnd) : parts.networks;
  const ended = { ...parts, networks: ending(true) };
  const bisect = new Bisect({
    ...ended,
    expressions: new ExpressionSource({ ...parts, standards: builtInInterfaces }),
    stateDiff: analysis.stateDiff.bind(analysis),
  });
  const sources = parts.sourcesOn(ended.networks);
  const upgrades = new UpgradeChecks({ ...ended, sources });
  const regressions = new Regressions({ ...ended, sources });
  const otherBlocks = new OtherBlocks({ ...parts, networks: ending(false) });
  return {
    bisect: bisect.run.bind(bisect),
    checkUpgrade: upgrades.check.bind(upgrades),
    touching: regressions.touching.bind(regressions),
    regress: regressions.run.bind(regressions),
    reorder: otherBlocks.run.bind(otherBlocks),
  };
}
