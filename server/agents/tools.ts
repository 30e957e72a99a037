import type { AgentTools } from './agent-tool';
import { CASE_TOOLS } from './case-tools';
import { FORK_TOOLS } from './fork-tools';
import { HISTORY_TOOLS } from './history-tools';
import { TRANSACTION_TOOLS } from './transaction-tools';

export type { AgentTool } from './agent-tool';

/** All tools by name. Their results are for reading, not for parsing. */
export const AGENT_TOOLS: AgentTools = {
  ...TRANSACTION_TOOLS,
  ...HISTORY_TOOLS,
  ...FORK_TOOLS,
  ...CASE_TOOLS,
};
