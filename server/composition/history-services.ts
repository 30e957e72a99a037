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
  addressSources: AddressSources;
  replays: CodeReplays;
  payments: PaymentSources;
  tokens: TokenFactsSource;
}): HistoryService {
  const { analysis } = parts;
  const bisect = new Bisect({
    ...parts,
    expressions: new ExpressionSource({ ...parts, standards: builtInInterfaces }),
    stateDiff: analysis.stateDiff.bind(analysis),
  });
  const upgrades = new UpgradeChecks({ ...parts, sources: parts.addressSources });
  const regressions = new Regressions({ ...parts, sources: parts.addressSources });
  const otherBlocks = new OtherBlocks(parts);
  return {
    bisect: bisect.run.bind(bisect),
    checkUpgrade: upgrades.check.bind(upgrades),
    touching: regressions.touching.bind(regressions),
    regress: regressions.run.bind(regressions),
    reorder: otherBlocks.run.bind(otherBlocks),
  };
}
