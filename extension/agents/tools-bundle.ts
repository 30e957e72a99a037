// Entry of a bundle of its own, which is loaded when an agent first uses a tool.
import '../editor/translations';

export { AGENT_TOOLS } from '../../server/agents/tools';
